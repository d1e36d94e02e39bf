// What signing adds to each request, once at the gateway and once at the service. After a build:
//   node libs/messaging/bench/signed-request.mjs
import { generateKeyPairSync } from 'node:crypto';
import console from 'node:console';
import { performance } from 'node:perf_hooks';
import { RequestSigner, RequestVerifier } from '../dist/signed-request.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const text = (key, type) => key.export({ format: 'der', type }).toString('base64');
const signer = new RequestSigner(text(privateKey, 'pkcs8'));
const verifier = new RequestVerifier(text(publicKey, 'spki'));
const subject = 'rpc.creators.update';
const body = JSON.stringify({ bio: 'x'.repeat(2000) });
const caller = {
  uid: '7d3f1c1e-52ab-4a4f-9a35-1f6a4f1f0c11',
  sid: '6b1f8a52c0de',
  username: 'maya',
  email: 'maya@example.test',
  displayName: 'Maya',
  termsAcceptedAt: null,
};
const sign = () => signer.sign({ subject, body, caller, deadline: Date.now() + 5000 });

async function measure(name, times, work) {
  const taken = [];
  for (let turn = 0; turn < times; turn += 1) {
    const since = performance.now();
    await work();
    taken.push(performance.now() - since);
  }
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share) => `${sorted[Math.floor(times * share)].toFixed(3)} ms`;
  console.log(`${name}: median ${at(0.5)}, 99 % ${at(0.99)}`);
}

await measure('warm up', 2000, async () => verifier.verify(await sign(), subject, body));
await measure('sign', 5000, sign);
await measure('sign and verify', 5000, async () => verifier.verify(await sign(), subject, body));
