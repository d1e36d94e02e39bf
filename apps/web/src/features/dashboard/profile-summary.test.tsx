import { screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { makeCreator } from '../../testing/creators.ts';
import { renderAt } from '../../testing/render.tsx';
import { ProfileSummary } from './profile-summary.tsx';

test('name and bio follow the direction of their own script', () => {
  renderAt('/dashboard', <ProfileSummary creator={makeCreator({ displayName: 'أمل', bio: 'أنا شاعر.' })} />);
  for (const text of ['أمل', 'أنا شاعر.']) expect(screen.getByText(text).dir).toBe('auto');
});
