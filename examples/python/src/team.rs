//! [`Team`]: threads that do a task together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

/// How often a thread looks for what it waits for before it goes to sleep. That takes about a hundred microseconds: longer
/// than a caller needs between two steps, and no longer than it takes to wake a thread up.
const LOOKS: usize = 1 << 12;

/// A task, called with the number of a thread.
type Task = dyn Fn(usize) + Sync;

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// The number of tasks so far.
    tasks: AtomicUsize,
    task: Mutex<Option<(&'static Task, Thread)>>,
    /// How many threads have not done the task.
    left: AtomicUsize,
    has_panicked: AtomicBool,
    is_over: AtomicBool,
}

/// Threads that do tasks together with the thread that calls them. They stay awake for a moment after each task, because
/// to wake a thread up takes longer than a step of some hundred tables.
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
    /// The task, with the thread that waits for it.
    fn current(&self) -> MutexGuard<'_, Option<(&'static Task, Thread)>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until the team is dropped.
    fn work(&self, thread: usize) {
        let mut done = 0;
        loop {
            wait_until(|| self.tasks.load(Ordering::Acquire) != done);
            done += 1;
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            let Some((task, caller)) = self.current().clone() else {
                return;
            };
            if catch_unwind(AssertUnwindSafe(|| task(thread))).is_err() {
                self.has_panicked.store(true, Ordering::Relaxed);
            }
            if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                caller.unpark();
            }
        }
    }
}

/// Waits for the threads of a task, also when the caller panics.
struct Wait<'a>(&'a Shared);

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        wait_until(|| self.0.left.load(Ordering::Acquire) == 0);
        *self.0.current() = None;
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

    /// How many threads do a task, the calling one included.
    pub fn len(&self) -> usize {
        1 + self.threads.len()
    }

    /// Calls `task` once on each thread, with the number of the thread: 0 on the calling one.
    ///
    /// # Panics
    /// If a call of `task` panics.
    pub fn run(&mut self, task: &(dyn Fn(usize) + Sync)) {
        let shared = &*self.shared;
        // SAFETY: the threads call `task` only before they count `left` down, and `Wait` waits for that before this
        // function returns or unwinds. Nothing starts another task meanwhile, because `self` is borrowed mutably.
        let task: &'static Task =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync + '_), &'static Task>(task) };
        *shared.current() = Some((task, thread::current()));
        shared.left.store(self.threads.len(), Ordering::Release);
        let wait = Wait(shared);
        self.begin();
        task(0);
        drop(wait);
        assert!(
            !shared.has_panicked.swap(false, Ordering::Relaxed),
            "a thread of the team panicked"
        );
    }

    /// Tells the threads that there is another task.
    fn begin(&self) {
        self.shared.tasks.fetch_add(1, Ordering::Release);
        for thread in &self.threads {
            thread.thread().unpark();
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        self.begin();
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
    fn every_thread_does_every_task_once() {
        let mut team = Team::new(3).expect("threads");
        let calls: [AtomicUsize; 4] = Default::default();
        for task in 0..2_000 {
            if task % 500 == 0 {
                // The threads fall asleep.
                std::thread::sleep(Duration::from_millis(20));
            }
            team.run(&|thread| {
                calls[thread].fetch_add(1, Ordering::Relaxed);
            });
        }
        assert!(
            calls
                .iter()
                .all(|calls| calls.load(Ordering::Relaxed) == 2_000)
        );
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_team_goes_on() {
        let mut team = Team::new(1).expect("threads");
        for panics in 0..2 {
            let run = AssertUnwindSafe(|| team.run(&|thread| assert_ne!(thread, panics)));
            assert!(catch_unwind(run).is_err());
        }
        team.run(&|_| ());
    }
}
