import { hasHost, socialHosts } from './links.ts';

/** The hosts of each network that has an icon. Mastodon has many servers; only the largest are listed. */
const networkHosts: Readonly<Record<string, readonly string[]>> = {
  ...socialHosts,
  x: ['x.com', 'twitter.com'],
  bluesky: ['bsky.app'],
  mastodon: ['mastodon.social', 'mastodon.online', 'mstdn.social', 'mas.to', 'fosstodon.org', 'hachyderm.io'],
  facebook: ['facebook.com', 'fb.com', 'fb.me'],
  threads: ['threads.com', 'threads.net'],
  linkedin: ['linkedin.com', 'lnkd.in'],
  spotify: ['spotify.com'],
  applemusic: ['music.apple.com'],
  soundcloud: ['soundcloud.com'],
  bandcamp: ['bandcamp.com'],
  patreon: ['patreon.com'],
  substack: ['substack.com'],
  medium: ['medium.com'],
  github: ['github.com'],
  discord: ['discord.com', 'discord.gg'],
  telegram: ['telegram.org', 'telegram.me', 't.me'],
  whatsapp: ['whatsapp.com', 'wa.me'],
  pinterest: ['pinterest.com', 'pin.it'],
  twitch: ['twitch.tv'],
  vimeo: ['vimeo.com'],
};

/** The network that owns the host of a link; undefined for other hosts. */
export function networkOf(link: string): string | undefined {
  return Object.keys(networkHosts).find((network) => hasHost(networkHosts[network] ?? [], link));
}
