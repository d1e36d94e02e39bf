import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseEnv, promisify } from 'node:util';
import { parse } from 'yaml';
import type { OpeningKeys, SealingKeys } from '../src/backup/sealed-file.ts';
import { inRepository, type Parts } from '../src/index.ts';
import type { Keys } from './s3-requests.ts';

interface CronJob {
  spec: {
    jobTemplate: {
      spec: { template: { spec: { containers: [{ args: string[]; env: { name: string }[] }] } } };
    };
  };
}

interface Options {
  readonly sealing: SealingKeys;
  readonly opening: OpeningKeys;
  /** The access key of the bucket. */
  readonly keys: Keys;
  /** Changes the command of the container. */
  readonly change?: (args: string[]) => string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the command of the CronJob's container on the parts of a test, with a bucket instead of its volume.
 */
export function runContainer(
  { minio, nats, postgres }: Parts,
  address: string,
  { sealing, opening, keys, change = (args) => args, env: more = {} }: Options,
) {
  const file = readFileSync(inRepository('k8s/base/backup/cron-job.yaml'), 'utf8');
  const { containers } = (parse(file) as CronJob).spec.jobTemplate.spec.template.spec;
  const [{ args, env }] = containers;
  const { host, password } = new URL(postgres.adminUrl);
  const values: Record<string, string> = {
    HOME: tmpdir(),
    BACKUP_RECIPIENT: sealing.recipient,
    BACKUP_SIGNING_KEY: sealing.signing,
    NATS_PROVISION_PASSWORD: nats.users.provision.pass,
    POSTGRES_PASSWORD: password,
    MINIO_ROOT_USER: minio.root.accessKey,
    MINIO_ROOT_PASSWORD: minio.root.secretKey,
  };
  const given = Object.fromEntries(env.map(({ name }) => [name, values[name]]));
  const settings = parseEnv(readFileSync(inRepository('k8s/base/settings.env'), 'utf8'));
  const addresses = { NATS_URL: nats.url, POSTGRES_ADDRESS: host, S3_ENDPOINT: minio.endpoint };
  const bucket = {
    BACKUP_S3_ENDPOINT: minio.endpoint,
    BACKUP_S3_ACCESS_KEY: keys.accessKey,
    BACKUP_S3_SECRET_KEY: keys.secretKey,
    BACKUP_IDENTITY: opening.identity,
    BACKUP_VERIFICATION_KEY: opening.verification,
  };
  const own = args.map((arg) => (arg === '/backups' ? address : arg));
  return promisify(execFile)(process.execPath, change(own), {
    cwd: inRepository(),
    env: { ...settings, ...addresses, ...given, ...bucket, ...more },
  });
}
