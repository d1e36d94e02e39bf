import { Database } from '../src/database.ts';
import { MediaConfig } from '../src/media.config.ts';
import { MediaRepository } from '../src/uploads/media.repository.ts';
import { MediaService } from '../src/uploads/media.service.ts';
import { PictureEncoder } from '../src/pictures/picture-encoder.ts';
import { StorageClient } from '../src/storage/storage.client.ts';
import { UploadChecker } from '../src/uploads/upload-checker.ts';
import { UploadRemover } from '../src/uploads/upload-remover.ts';

/** Creates a second replica in this process: the same database and object store, but without NATS. */
export function startReplica(environment: Record<string, string> = {}) {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  const config = new MediaConfig();
  process.env = before;
  const database = new Database(config);
  const uploads = new MediaRepository(database);
  const storage = new StorageClient(config);
  const encoder = new PictureEncoder();
  const remover = new UploadRemover(uploads, storage, config);
  const checker = new UploadChecker(uploads, storage, encoder, remover, config);
  const service = new MediaService(uploads, storage, checker, config);
  return { uploads, storage, encoder, remover, service, stop: () => database.onApplicationShutdown() };
}

export type Replica = ReturnType<typeof startReplica>;
