import type { Readable } from 'node:stream';

/** Where backups lie: files in folders, `<folder>/<file>`, of any size. */
export interface BackupPlace {
  /** As people know it. */
  readonly address: string;
  /** The names in a folder, or at the top of the place; none where there is no such folder. */
  list(folder: string): Promise<string[]>;
  has(file: string): Promise<boolean>;
  read(file: string): Promise<Readable>;
  /** Writes a file as it comes, of which there is nothing before there is all of it. */
  write(file: string, content: Readable): Promise<void>;
  /** Does nothing where there is no such file. */
  removeFile(file: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** Removes what was begun before this time and never became a file. */
  removeUnfinished(before: Date): Promise<void>;
}
