import { describe, expect, test } from '@jest/globals';
import { networkOf } from './networks.ts';

describe('another link of a profile', () => {
  test.each([
    ['https://x.com/ada', 'x'],
    ['https://twitter.com/ada', 'x'],
    ['https://bsky.app/profile/ada.example.net', 'bluesky'],
    ['https://mastodon.social/@ada', 'mastodon'],
    ['https://www.linkedin.com/in/ada', 'linkedin'],
    ['https://open.spotify.com/artist/1', 'spotify'],
    ['https://music.apple.com/za/artist/1', 'applemusic'],
    ['https://ada.bandcamp.com/', 'bandcamp'],
    ['https://ada.substack.com/', 'substack'],
    ['http://GitHub.com/ada', 'github'],
    ['https://t.me/ada', 'telegram'],
    ['https://wa.me/27110000000', 'whatsapp'],
    ['https://youtu.be/x', 'youtube'],
  ])('%s leads to %s', (link, network) => expect(networkOf(link)).toBe(network));

  test.each([
    'https://github.com.evil.net/ada',
    'https://notgithub.com/ada',
    'https://github.io/ada',
    'https://evil.net/github.com',
    'https://evil.net/?https://github.com',
    'https://github.com@evil.net/',
    'https://gіthub.com/ada',
    'https://apple.com/',
    'https://est.me/ada',
    'https://x.com.co/ada',
    'javascript://github.com/%0aalert(1)',
    'ftp://github.com/ada',
    'https://constructor/',
    'github.com/ada',
    '',
  ])('%s belongs to no network [contracts-2]', (link) => expect(networkOf(link)).toBeUndefined());
});
