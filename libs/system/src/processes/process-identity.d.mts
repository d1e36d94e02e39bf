export interface ProcessIdentity {
  pid: number;
  startTime: string | undefined;
}

export function startTimeOf(pid: number): string | undefined;
export function isAlive(identity: ProcessIdentity): boolean;
export function identityOf(pid?: number): ProcessIdentity;
export function parentAndCommandOf(pid: number): { parent: number; command: string } | undefined;
