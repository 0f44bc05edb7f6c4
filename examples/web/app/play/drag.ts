/** Drags a tile out of the hand. */

/** How far a pointer moves before a tap becomes a drag, in pixels. */
const THRESHOLD = 10;

/** Lets a tile be dragged. `drop` is called if it is dropped above the hand. */
export function draggable(tile: HTMLElement, hand: HTMLElement, drop: () => void): void {
  tile.addEventListener("pointerdown", down => {
    if (down.button !== 0) return;
    // Moves are heard wherever the pointer goes.
    tile.setPointerCapture(down.pointerId);
    let dragged = false;
    const from = { x: down.clientX, y: down.clientY };
    const isOut = (event: PointerEvent) => event.clientY < hand.getBoundingClientRect().top - 8;
    const move = (event: PointerEvent) => {
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!dragged && Math.hypot(x, y) < THRESHOLD) return;
      if (!dragged) {
        dragged = true;
        tile.classList.add("dragged");
      }
      tile.style.translate = `${x}px ${y}px`;
      tile.classList.toggle("leaves", isOut(event));
    };
    const end = (event: PointerEvent) => {
      tile.removeEventListener("pointermove", move);
      tile.removeEventListener("pointerup", end);
      tile.removeEventListener("pointercancel", end);
      tile.style.translate = "";
      tile.classList.remove("dragged", "leaves");
      if (!dragged) return;
      // A click that follows a drag is no tap.
      const swallow = (click: Event) => click.stopImmediatePropagation();
      tile.addEventListener("click", swallow, { capture: true });
      setTimeout(() => tile.removeEventListener("click", swallow, { capture: true }), 50);
      if (event.type === "pointerup" && isOut(event)) drop();
    };
    tile.addEventListener("pointermove", move);
    tile.addEventListener("pointerup", end);
    tile.addEventListener("pointercancel", end);
  });
}
