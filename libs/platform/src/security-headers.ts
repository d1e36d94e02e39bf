/** A content security policy: what each directive lets through; an empty list makes a directive without a value. */
export type SecurityPolicy = Readonly<Record<string, readonly string[]>>;

/** For answers that no browser shows as a page: they load nothing and stand in no frame. */
export const closedPolicy: SecurityPolicy = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

// What no page here asks a browser for. Sharing and copying links stay possible for our own pages.
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

/** The header's text for a policy. */
export function policyText(policy: SecurityPolicy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}

export interface SecurityHeaderOptions {
  readonly policy: SecurityPolicy;
  /** Whether the site's public address begins with https. */
  readonly https: boolean;
  /** Features of `Permissions-Policy` that the pages do use. */
  readonly features?: readonly string[];
}

/** The headers that every answer carries: the one definition for gateway and edge. */
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
    // For browsers that know no frame-ancestors; another host cannot be named to them.
    ...(framing === "'none'" && { 'x-frame-options': 'DENY' }),
    ...(framing === "'self'" && { 'x-frame-options': 'SAMEORIGIN' }),
    'x-permitted-cross-domain-policies': 'none',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
