// A process that outlives its parent: when the pipe from the parent closes, for any reason, it ends every
// process group that is still on its list.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.mjs';
import { signalGroup, type RecordedProcess } from './process-groups.ts';

export type WatchdogMessage =
  { add: RecordedProcess } | { drop: number } | { folder: string } | { keep: string };

const processes = new Map<number, RecordedProcess>();
const folders = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as WatchdogMessage;
  if ('add' in message) processes.set(message.add.pid, message.add);
  else if ('drop' in message) processes.delete(message.drop);
  else if ('folder' in message) folders.add(message.folder);
  else folders.delete(message.keep);
}

for (const known of processes.values()) if (isAlive(known)) signalGroup(known.pid, known.stopSignal);
const deadline = Date.now() + 8_000;
while (Date.now() < deadline && [...processes.values()].some(isAlive)) await sleep(50);
// Signals each group by its id, because the leader may have ended before the rest of its group.
for (const { pid } of processes.values()) signalGroup(pid, 'SIGKILL');
for (const folder of folders)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
