import type { Supervisor } from '../processes/supervisor.ts';

/** The faults that tests and drills cause in a running part or app, whether it is a process or a container. */
export interface FaultControl {
  /** Stops a part or app gracefully. It stays stopped until `start`. */
  stop(name: string): Promise<void>;
  /** Ends a part or app by SIGKILL. It stays stopped until `start`. */
  kill(name: string): Promise<void>;
  /** Kills a part or app by SIGKILL, and lets it restart by itself, as under an orchestrator. */
  crash(name: string): Promise<void>;
  /** Freezes a part or app with its connections open until `resume`. */
  pause(name: string): Promise<void>;
  resume(name: string): Promise<void>;
  /** Starts a stopped part at the same address with its data, and waits until it is ready. It does nothing if the part runs. */
  start(name: string): Promise<void>;
  /** Makes a part read its configuration again, by SIGHUP. */
  reload(name: string): Promise<void>;
  /** An identifier of the running process that changes with every start; undefined while none runs. */
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
