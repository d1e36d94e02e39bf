import { globSync, readFileSync } from 'node:fs';

/** The kernel's USER_HZ, which is 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

/** CPU time in milliseconds of each process and its descendants so far, by process id. */
export function cpuTimes(): Map<number, number> {
  const times = new Map<number, number>();
  const parents = new Map<number, number>();
  for (const file of globSync('/proc/[0-9]*/stat')) {
    const fields = fieldsOf(file);
    // Fields of proc_pid_stat(5) from the third on; the second may contain spaces. The last two are of ended children.
    const [parent, ...ticks] = [1, 11, 12, 13, 14].map((place) => Number(fields[place] ?? 0));
    const pid = Number(file.split('/')[2]);
    parents.set(pid, parent ?? 0);
    times.set(pid, (ticks.reduce((sum, one) => sum + one, 0) * 1000) / ticksPerSecond);
  }
  for (const [pid, spent] of [...times])
    for (let above = parents.get(pid); above; above = parents.get(above))
      times.set(above, (times.get(above) ?? 0) + spent);
  return times;
}

function fieldsOf(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // Ignores a process that has ended since it was listed.
    return [];
  }
}
