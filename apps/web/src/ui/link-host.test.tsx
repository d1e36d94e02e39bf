import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { LinkHost } from './link-host.tsx';

test.each([
  ['PayPal', 'https://www.paypal.com/me/ada', 'paypal.com'],
  ['PayPal', 'https://paypal.com.evil.example/me', 'paypal.com.evil.example'],
  ['раураl.com', 'https://раураl.com/', 'xn--l-7sba6dbr.com'],
  ['paypal.com', 'https://evil.example\\@paypal.com', 'evil.example'],
] as const)('%s to %s shows %s', (label, url, host) => {
  render(<LinkHost url={url} label={label} />);
  expect(screen.getByText(host)).toBeTruthy();
});

test('a link that is called by its host says it once', () => {
  const { container } = render(<LinkHost url="https://paypal.com/me" label="PayPal.com" />);
  expect(container.textContent).toBe('');
});
