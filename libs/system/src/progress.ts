/** A running step, shown until it ends. */
export interface Task {
  update(detail: string): void;
  done(detail?: string): void;
  fail(detail: string): void;
}

/** Prints lines and running tasks for the user. */
export interface Reporter {
  line(text: string): void;
  task(name: string, detail?: string): Task;
  /** From now on only prints lines: errors of tasks are expected during a stop. */
  endTasks(): void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** A reporter that updates lines on a terminal. Without one, as in CI, it prints one plain line per step. */
export function createReporter(out: NodeJS.WriteStream = process.stderr): Reporter {
  return out.isTTY && !process.env.CI ? liveReporter(out) : plainReporter((text) => out.write(`${text}\n`));
}

/** A reporter that passes every finished line to a function, for tests and libraries. */
export function plainReporter(write: (text: string) => void): Reporter {
  let ended = false;
  return {
    line: write,
    task(name, detail) {
      const since = Date.now();
      const print = (text: string) => {
        if (!ended) write(`${name}: ${text}`);
      };
      if (detail) print(detail);
      return { update: print, done: (text = 'ready') => print(`${text} (${seconds(since)})`), fail: print };
    },
    endTasks() {
      ended = true;
    },
  };
}

function liveReporter(out: NodeJS.WriteStream): Reporter {
  const active = new Map<symbol, { name: string; detail: string; since: number }>();
  let drawn = 0;
  let frame = 0;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn > 0) out.write(`\x1b[${drawn}A\x1b[0J`);
    drawn = 0;
  };
  const draw = () => {
    clear();
    frame += 1;
    for (const { name, detail, since } of active.values()) {
      const text = `${frames[frame % frames.length]} ${name.padEnd(12)} ${detail} (${seconds(since)})`;
      // A wrapped line would count as one and be cleared only in part.
      out.write(`${text.slice(0, (out.columns || 80) - 1)}\n`);
      drawn += 1;
    }
  };
  const line = (text: string) => {
    clear();
    out.write(`${text}\n`);
    draw();
  };

  return {
    line,
    task(name, detail = '') {
      const key = Symbol(name);
      const since = Date.now();
      active.set(key, { name, detail, since });
      timer ??= setInterval(draw, 120).unref();
      const end = (mark: string, text: string) => {
        if (ended) return;
        active.delete(key);
        line(`${mark} ${name.padEnd(12)} ${text} (${seconds(since)})`);
        if (active.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
      return {
        update: (text) => {
          if (!ended) active.set(key, { name, detail: text, since });
        },
        done: (text = 'ready') => end('✓', text),
        fail: (text) => end('✗', text),
      };
    },
    endTasks() {
      ended = true;
      clearInterval(timer);
      clear();
      active.clear();
    },
  };
}
