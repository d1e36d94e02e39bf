import type { Supervisor } from '../processes/supervisor.ts';

/** The faults that tests and drills cause in a running part or app, whether it is a process or a container. */
export interface FaultControl {
  /** Stops it gracefully. It stays stopped until `start`. */
  stop(name: string): Promise<void>;
  /** Ends it by SIGKILL. It stays stopped until `start`. */
  kill(name: string): Promise<void>;
  /** Kills it by SIGKILL and lets it restart by itself, as under an orchestrator. */
  crash(name: string): Promise<void>;
  /** Freezes it with its connections open. A frozen part stays frozen until `resume`. */
  pause(name: string): Promise<void>;
  resume(name: string): Promise<void>;
  /** Starts a stopped part at the same address with its data, and waits until it is ready. It does nothing if the part runs. */
  start(name: string): Promise<void>;
  /** Makes it read its configuration again, by SIGHUP. */
  reload(name: string): Promise<void>;
  /** An identifier that changes with every start; undefined while it does not run. */
  runOf(name: string): Promise<string | undefined>;
}

/** Controls the processes of a supervisor. */
export const processControl = (supervisor: Supervisor): FaultControl => ({
  stop: (name) => supervisor.stop(name),
  kill: async (name) => {
    supervisor.signal(name, 'SIGKILL');
    await supervisor.stop(name);
  },
  crash: async (name) => supervisor.signal(name, 'SIGKILL'),
  pause: async (name) => supervisor.hold(name, 'SIGSTOP'),
  resume: async (name) => supervisor.hold(name, 'SIGCONT'),
  start: (name) => supervisor.startAgain(name),
  reload: async (name) => supervisor.signal(name, 'SIGHUP'),
  runOf: async (name) => supervisor.pidOf(name)?.toString(),
});
