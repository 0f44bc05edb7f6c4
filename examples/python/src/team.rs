//! [`Team`]: threads that do a task together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

/// How often a thread looks for what it waits for before it goes to sleep. That takes some ten microseconds: longer than a
/// caller needs between two steps, and less than it takes to wake a thread up.
const LOOKS: usize = 1 << 11;

/// A task, called with the number of a thread.
type Task = dyn Fn(usize) + Sync;

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// How many tasks there have been.
    tasks: AtomicUsize,
    /// How many threads are doing the task. Changed only while `task` is locked.
    busy: AtomicUsize,
    task: Mutex<Current>,
}

/// The task that threads may begin.
#[derive(Default)]
struct Current {
    /// The task, and the thread that waits for its end.
    task: Option<(&'static Task, Thread)>,
    has_panicked: bool,
    is_over: bool,
}

/// Threads that do tasks together with the thread that calls them. They stay awake for a moment after each task, because
/// to wake a thread up takes as long as a step of some hundred tables.
pub struct Team {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// Waits until a condition holds.
fn wait_until(holds: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if holds() {
            return;
        }
        std::hint::spin_loop();
    }
    while !holds() {
        thread::park();
    }
}

impl Shared {
    fn current(&self) -> MutexGuard<'_, Current> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the task. `None` if it is done already.
    fn begin(&self) -> Option<(&'static Task, Thread)> {
        let current = self.current();
        let task = current.task.clone()?;
        self.busy.fetch_add(1, Ordering::Relaxed);
        Some(task)
    }

    /// Does tasks until the team is dropped.
    fn work(&self, thread: usize) {
        let mut seen = 0;
        loop {
            wait_until(|| self.tasks.load(Ordering::Acquire) != seen);
            seen = self.tasks.load(Ordering::Acquire);
            if self.current().is_over {
                return;
            }
            let Some((task, caller)) = self.begin() else {
                continue;
            };
            let done = catch_unwind(AssertUnwindSafe(|| task(thread)));
            let mut current = self.current();
            current.has_panicked |= done.is_err();
            let busy = self.busy.fetch_sub(1, Ordering::Release);
            drop(current);
            if busy == 1 {
                caller.unpark();
            }
        }
    }
}

/// Ends a task, also when the caller panics.
struct End<'a>(&'a Shared);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.current().task = None;
        wait_until(|| self.0.busy.load(Ordering::Acquire) == 0);
    }
}

impl Team {
    /// A team of so many threads besides the calling one.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let mut team = Self {
            shared: Arc::default(),
            threads: Vec::new(),
        };
        for thread in 1..=threads {
            let shared = Arc::clone(&team.shared);
            let builder = thread::Builder::new().name(format!("paishan-{thread}"));
            team.threads
                .push(builder.spawn(move || shared.work(thread))?);
        }
        Ok(team)
    }

    /// How many threads do a task at most, the calling one included.
    pub fn len(&self) -> usize {
        1 + self.threads.len()
    }

    /// Calls `task` with 0, and at the same time on each other thread with the number of the thread. A thread that is not
    /// awake before the call with 0 returns does not take part, so this call must do whatever the others have not begun.
    ///
    /// # Panics
    /// If a call of `task` panics.
    pub fn run(&mut self, task: &(dyn Fn(usize) + Sync)) {
        let shared = &*self.shared;
        // SAFETY: a thread calls `task` only while it counts as busy, and begins only while `task` is the current one.
        // `End` takes it away and waits until no thread is busy, before this function returns or unwinds.
        let task: &'static Task =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync + '_), &'static Task>(task) };
        shared.current().task = Some((task, thread::current()));
        let end = End(shared);
        self.wake();
        task(0);
        drop(end);
        let has_panicked = std::mem::take(&mut shared.current().has_panicked);
        assert!(!has_panicked, "a thread of the team panicked");
    }

    fn wake(&self) {
        self.shared.tasks.fetch_add(1, Ordering::Release);
        for thread in &self.threads {
            thread.thread().unpark();
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.current().is_over = true;
        self.wake();
        for thread in self.threads.drain(..) {
            // A thread does not panic, because panics of tasks are caught.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Team;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn the_caller_and_threads_that_are_awake_do_a_task() {
        let mut team = Team::new(3).expect("threads");
        let calls: [AtomicUsize; 4] = Default::default();
        let all = || calls.iter().map(|calls| calls.load(Ordering::SeqCst));
        for task in 1..=20 {
            // Every second time the threads have fallen asleep.
            std::thread::sleep(Duration::from_millis(task % 2 * 5));
            let before: usize = all().sum();
            team.run(&|thread| {
                calls[thread].fetch_add(1, Ordering::SeqCst);
                // The caller waits for the others, so they take part.
                while thread == 0 && all().sum::<usize>() < before + 4 {
                    std::thread::yield_now();
                }
            });
        }
        assert!(all().all(|calls| calls == 20));
        // None of them goes on after the call.
        for _ in 0..2_000 {
            let left = AtomicUsize::new(0);
            team.run(&|_| {
                left.fetch_add(1, Ordering::SeqCst);
                std::thread::yield_now();
                left.fetch_sub(1, Ordering::SeqCst);
            });
            assert_eq!(left.into_inner(), 0);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_team_goes_on() {
        let mut team = Team::new(1).expect("threads");
        for panics in 0..2 {
            let begun = AtomicUsize::new(0);
            let run = AssertUnwindSafe(|| {
                team.run(&|thread| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    while begun.load(Ordering::SeqCst) < 2 {
                        std::thread::yield_now();
                    }
                    assert_ne!(thread, panics);
                });
            });
            assert!(catch_unwind(run).is_err());
        }
        team.run(&|_| ());
    }
}
