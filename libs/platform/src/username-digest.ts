import { hash } from 'node:crypto';

/** Replaces the username of a closed account, whose name must not be stored: SHA-256 of its lower case, in hex. */
export const usernameDigest = (username: string): string => hash('sha256', username.toLowerCase(), 'hex');
