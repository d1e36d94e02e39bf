import {
  type AccountExport,
  type Caller,
  hasFreshLogin,
  type Input,
  limits,
  type media,
  type Output,
} from '@stoa/contracts';
import { type Call, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { AccountExports } from './account-exports.repository.ts';
import { ExportStorageClient, exportKey } from '../storage/export-storage.client.ts';
import { MediaConfig } from '../media.config.ts';
import { transferMs } from '../uploads/upload-quota.ts';

@Injectable()
export class AccountExportService {
  constructor(
    private readonly exports: AccountExports,
    private readonly storage: ExportStorageClient,
    private readonly config: MediaConfig,
  ) {}

  /** Requires a log-in within the last minutes, so that a stranger cannot use an unattended session. */
  async start({ caller, requestId }: Call): Promise<{ id: string }> {
    if (!hasFreshLogin(caller))
      throw new Refusal('forbidden', 'Log in again first: this takes a fresh log-in.');
    const started = await this.exports.start(caller, requestId);
    if (started === 'under way') throw new Refusal('conflict', 'Your export is being made already.');
    if (started === 'enough')
      throw new Refusal('rate_limited', `There may be ${limits.exportsPerDay} exports in a day.`);
    return started;
  }

  /** Leases an export to the calling gateway, which then collects its records. */
  async take(): Promise<Output<typeof media.takeExport>> {
    return { export: await this.exports.lease() };
  }

  async add(part: Input<typeof media.addToExport>, { uid }: Caller): Promise<Record<string, never>> {
    if (!(await this.exports.add(part, uid))) throw exportReplaced();
    return {};
  }

  async make(made: Input<typeof media.makeExport>, { uid }: Caller): Promise<Record<string, never>> {
    if (!(await this.exports.makeDue(made, uid))) throw exportReplaced();
    return {};
  }

  async read({ uid }: Caller): Promise<AccountExport> {
    const latest = await this.exports.latest(uid);
    const nothing = { expiresAt: null, url: null };
    if (!latest) return { state: 'none', ...nothing };
    if (latest.failedAt) return { state: 'failed', ...nothing };
    if (!latest.readyAt) return { state: 'making', ...nothing };
    const archive = await this.storage.findFile(exportKey(latest));
    const lifeMs = this.config.FILE_LINK_MS + transferMs(archive?.size ?? 0);
    // The link expires at the latest when the archive is removed.
    const left = Math.max(1000, Math.min(lifeMs, latest.removeAfter.getTime() - latest.asOf.getTime()));
    const url = await this.storage.sign(exportKey(latest), Math.ceil(left / 1000), latest.asOf);
    return { state: 'ready', expiresAt: latest.removeAfter.toISOString(), url };
  }
}

// An export of another account gets the same answer, so that callers learn nothing about it.
function exportReplaced(): Refusal {
  return new Refusal('conflict', 'Your export was begun anew meanwhile.');
}
