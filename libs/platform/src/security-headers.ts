/** A content security policy: the sources of each directive. An empty list makes a directive without a value. */
export type SecurityPolicy = Readonly<Record<string, readonly string[]>>;

/** The policy of answers that no browser renders as a page: they load nothing and may not be framed. */
export const closedPolicy: SecurityPolicy = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

// Browser features that no page here uses. Sharing and the clipboard stay available to our own pages.
const noFeatures = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

export function policyText(policy: SecurityPolicy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}

export interface SecurityHeaderOptions {
  readonly policy: SecurityPolicy;
  readonly https: boolean;
  /** Features of `Permissions-Policy` that the pages use. */
  readonly features?: readonly string[];
}

/** The security headers of every answer, shared by gateway and edge. */
export function securityHeaders({
  policy,
  https,
  features = [],
}: SecurityHeaderOptions): Record<string, string> {
  const off = noFeatures.filter((feature) => !features.includes(feature));
  const [framing] = policy['frame-ancestors'] ?? [];
  return {
    'content-security-policy': policyText(policy),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': off.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    // For browsers that do not know `frame-ancestors`. `X-Frame-Options` cannot name another host.
    ...(framing === "'none'" && { 'x-frame-options': 'DENY' }),
    ...(framing === "'self'" && { 'x-frame-options': 'SAMEORIGIN' }),
    'x-permitted-cross-domain-policies': 'none',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
