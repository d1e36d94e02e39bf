import { hash } from 'node:crypto';

/** What stands for the username of a closed account, of which no name is to be left: SHA-256 of it in lower case, in hex. */
export const usernameDigest = (username: string): string => hash('sha256', username.toLowerCase(), 'hex');
