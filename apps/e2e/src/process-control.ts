import type { FaultVerb } from '@stoa/system/testing/control-server';
import { theSystem } from './system.ts';

/** Stops, kills, pauses or starts a part or an app, whether it is a process or a container. */
export async function controlProcess(verb: FaultVerb, name: string): Promise<void> {
  await ask('POST', `${name}/${verb}`);
}

/** Runs `what` while a part or an app is stopped or paused, and then starts it in any case. */
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

/** An id that changes with each start of a part or an app; null while it is stopped. */
export const runOf = (name: string): Promise<string | null> => ask('GET', name);

async function ask(method: string, path: string): Promise<string | null> {
  const { url, token } = theSystem().control;
  const response = await fetch(`${url}/parts/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { run: string | null }).run;
}
