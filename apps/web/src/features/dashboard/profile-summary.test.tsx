import { screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { makeCreator, renderAt } from '../../testing.tsx';
import { ProfileSummary } from './profile-summary.tsx';

test('name and bio are laid out in the direction of their own script', () => {
  renderAt('/dashboard', <ProfileSummary creator={makeCreator({ displayName: 'أمل', bio: 'أنا شاعر.' })} />);
  for (const text of ['أمل', 'أنا شاعر.']) expect(screen.getByText(text).dir).toBe('auto');
});
