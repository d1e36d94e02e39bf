import { theSystem } from './system.ts';

type Verb = 'kill' | 'stop' | 'start' | 'pause' | 'resume';

/** Stops, kills, pauses and starts one process of the system: a part or an app. */
export async function controlProcess(verb: Verb, name: string): Promise<void> {
  await ask('POST', `processes/${name}/${verb}`);
}

/** Does `what` while a process is stopped, or hangs, and brings it back whatever happened. */
export async function whileDown(
  name: string,
  what: () => Promise<void>,
  how: 'stop' | 'pause' = 'stop',
): Promise<void> {
  await controlProcess(how, name);
  try {
    await what();
  } finally {
    await controlProcess(how === 'stop' ? 'start' : 'resume', name);
  }
}

export async function pidOf(name: string): Promise<number | null> {
  return ((await ask('GET', `processes/${name}`)) as { pid: number | null }).pid;
}

async function ask(method: string, path: string): Promise<unknown> {
  const { url, token } = theSystem().control;
  const response = await fetch(`${url}/${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
