(() => {
  const get = id => document.getElementById(id);
  const deals = FRAMES.flatMap((frame, place) => frame[5] === null ? [] : [place]);
  const isWin = frame => frame[4] !== null && EXPLAINED[frame[4]].includes('class="explanation"');
  const wins = FRAMES.flatMap((frame, place) => isWin(frame) ? [place] : []);
  let place = 0;
  for (const at of deals) get("deals").add(new Option(FRAMES[at][5], at));
  get("place").max = Math.max(FRAMES.length - 1, 0);
  // Parts of a player are five in a row, after the middle. Player 1 is at the bottom.
  const owner = part => part === 0 ? null : Math.floor((part - 1) / 5);
  const hidden = svg => svg.replace(/#t-[^"]+" class="own"/g, '#t-back" class="own"');
  function show(to) {
    place = Math.min(Math.max(to, 0), FRAMES.length - 1);
    if (place < 0) return;
    const [parts, told, open, who, explained] = FRAMES[place];
    const hands = get("hands").value;
    const sees = player => hands === "all" || hands === String(player);
    const drawn = parts.map((fragment, part) => {
      const player = owner(part);
      return player === null || sees(player) ? FRAGMENTS[fragment] : hidden(FRAGMENTS[fragment]);
    });
    get("table").innerHTML = drawn.join("");
    get("hand").innerHTML = drawn[3];
    get("told").textContent = open === null || sees(who) ? told : open;
    get("explained").innerHTML = explained === null ? "" : EXPLAINED[explained];
    get("place").value = place;
    get("deals").value = deals.filter(at => at <= place).pop();
  }
  const before = list => list.filter(at => at < place).pop() ?? 0;
  const after = list => list.find(at => at > place) ?? place;
  const actions = {
    "deal-back": () => show(before(deals)),
    "back": () => show(place - 1),
    "on": () => show(place + 1),
    "deal-on": () => show(after(deals)),
    "win": () => show(after(wins)),
  };
  for (const id in actions) get(id).addEventListener("click", actions[id]);
  get("place").addEventListener("input", event => show(Number(event.target.value)));
  get("deals").addEventListener("change", event => show(Number(event.target.value)));
  get("hands").addEventListener("change", () => show(place));
  document.addEventListener("keydown", event => {
    if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: "back", ArrowRight: "on", PageUp: "deal-back", PageDown: "deal-on", w: "win" };
    if (event.key === "h") {
      const hands = get("hands");
      hands.selectedIndex = (hands.selectedIndex + 1) % hands.options.length;
      show(place);
    } else if (keys[event.key]) actions[keys[event.key]]();
    else return;
    event.preventDefault();
  });
  const start = Number(location.hash.slice(1));
  show(Number.isInteger(start) ? start : 0);
})();
