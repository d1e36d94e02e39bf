import type { Readable } from 'node:stream';

/** The storage of backups, a folder or a bucket: files of any size named `<folder>/<file>`. */
export interface BackupPlace {
  readonly address: string;
  /** The names in a folder, or at the top level. Empty if the folder does not exist. */
  list(folder: string): Promise<string[]>;
  has(file: string): Promise<boolean>;
  read(file: string): Promise<Readable>;
  /** Writes a file from a stream. The file appears only when it is complete. */
  write(file: string, content: Readable): Promise<void>;
  /** Does nothing if the file does not exist. */
  removeFile(file: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** Removes files whose writing began before this time and never finished. */
  removeUnfinished(before: Date): Promise<void>;
}
