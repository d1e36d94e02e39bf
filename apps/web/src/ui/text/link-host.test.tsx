import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { LinkHost } from './link-host.tsx';

test.each([
  ['PayPal', 'https://www.paypal.com/me/ada', 'paypal.com'],
  ['PayPal', 'https://paypal.com.evil.example/me', 'paypal.com.evil.example'],
  ['раураl.com', 'https://раураl.com/', 'xn--l-7sba6dbr.com'],
  ['paypal.com', 'https://evil.example\\@paypal.com', 'evil.example'],
] as const)('label %s with link %s shows %s [web-103]', (label, url, host) => {
  render(<LinkHost url={url} label={label} />);
  expect(screen.getByText(host)).toBeTruthy();
});

test('a link whose label is its host shows no host', () => {
  const { container } = render(<LinkHost url="https://paypal.com/me" label="PayPal.com" />);
  expect(container.textContent).toBe('');
});
