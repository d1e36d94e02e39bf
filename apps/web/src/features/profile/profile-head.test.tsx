import { act, render, screen, within } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { beginSession, dropSession } from '../../auth/session.ts';
import { makePublicCreator, renderAt } from '../../testing.tsx';
import { HeaderPicture, ProfileHead } from './profile-head.tsx';

const creator = makePublicCreator({ username: 'ama', displayName: 'Ama' });

test('the icon of a network leads there or is not shown, whatever an older record holds', () => {
  const socialLinks = {
    youtube: 'https://youtube.com.evil.example/@ama',
    tiktok: 'javascript://tiktok.com/%0aalert(1)',
    instagram: 'https://www.instagram.com/ama',
  };
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, socialLinks }} />);
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: /opens in a new tab/ });
  expect(links.map(({ href }) => href)).toEqual(['https://www.instagram.com/ama']);
});

test('a name and a bio are laid out in the direction of their own script', () => {
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, displayName: 'أمل', bio: 'أنا شاعر.' }} />);
  for (const text of ['أمل', 'أنا شاعر.']) expect(screen.getByText(text).dir).toBe('auto');
});

test('the link to the editor is shown to the owner only', () => {
  const edit = () => screen.queryByRole('link', { name: 'Edit Profile' });
  const { unmount } = renderAt('/profile/ama', <ProfileHead creator={creator} />);
  expect(edit()).toBeNull();
  act(() => beginSession(crypto.randomUUID()));
  expect(edit()).toBeNull();
  act(() => beginSession(creator.uid));
  expect(edit()?.getAttribute('href')).toBe('/dashboard/edit-profile');
  unmount();
  dropSession();
});

test('a header is decoration in AVIF, with a WebP for older browsers, and nothing stands in for a missing one', () => {
  const { container, rerender } = render(<HeaderPicture picture={null} />);
  expect(container.innerHTML).toBe('');
  const header = { id: '1', path: 'header', widths: [480, 800], width: 800, height: 267, color: '#aabbcc' };
  rerender(<HeaderPicture picture={header} />);
  const image = container.querySelector('img');
  const said = ['alt', 'width', 'height', 'loading', 'src'].map((name) => image?.getAttribute(name));
  expect(said).toEqual(['', '800', '267', 'eager', '/header/800.webp']);
  const sets = Array.from(container.querySelectorAll('source'), ({ srcset }) => srcset);
  expect(sets).toEqual(['/header/480.avif 480w, /header/800.avif 800w']);
});

test('own links stand in their order, with the icon of the network that they lead to', () => {
  const links = [
    { label: 'كتبي', url: 'https://ama.example.net/books', network: null },
    { label: 'GitHub', url: 'https://github.com/ama', network: 'github' },
    { label: 'GitHub', url: 'https://github.com.evil.net/ama', network: null },
  ];
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, links }} />);
  const list = within(screen.getByRole('list', { name: 'Links of Ama' }));
  const shown = list.getAllByRole<HTMLAnchorElement>('link');
  expect(shown.map(({ href }) => href)).toEqual(links.map(({ url }) => url));
  const icons = shown.map((link) => link.querySelector<HTMLElement>('[data-network]')?.dataset.network);
  expect(icons).toEqual([undefined, 'github', undefined]);
  for (const { target, rel } of shown)
    expect([target, rel]).toEqual(['_blank', 'noopener noreferrer nofollow']);
  expect(list.getByText('كتبي').dir).toBe('auto');
  // Where it leads is said as well, whatever it is called.
  expect(list.getByText('github.com.evil.net')).toBeTruthy();
});

test('a profile of the release before has no links of its own', () => {
  renderAt('/profile/ama', <ProfileHead creator={{ ...creator, links: undefined as never }} />);
  expect(screen.queryByRole('list', { name: 'Links of Ama' })).toBeNull();
});
