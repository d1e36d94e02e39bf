// Plain JavaScript: the command line runs this on Node 20, before anything is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The start time of a process as an opaque string; undefined if the process does not exist. After a crash or
 * a reboot an id alone may belong to another process.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startTimeOf(pid) {
  try {
    if (process.platform !== 'linux') {
      return (
        execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
      );
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in brackets and may contain spaces, so fields are counted after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * Whether the recorded process still runs, and its id does not belong to another one.
 * @param {{ pid: number, startTime: string | undefined }} identity
 */
export function isAlive({ pid, startTime }) {
  const now = startTimeOf(pid);
  return now !== undefined && now === startTime;
}

/**
 * @param {number} [pid]
 * @returns {{ pid: number, startTime: string | undefined }}
 */
export function identityOf(pid = process.pid) {
  return { pid, startTime: startTimeOf(pid) };
}

/**
 * The parent's id and the command line of a process.
 * @param {number} pid
 * @returns {{ parent: number, command: string } | undefined}
 */
export function parentAndCommandOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
    }
    const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
    return command === undefined ? undefined : { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
