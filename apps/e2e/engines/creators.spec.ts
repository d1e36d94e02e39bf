import { writeFileSync } from 'node:fs';
import { newAccount } from '../src/creators.ts';
import { expectPath, button, heading, inMenu, link, logIn, signUp } from '../src/engines/actions.ts';
import { test } from '../src/engines/engine-test.ts';
import { randomPhoto } from '../src/pictures.ts';

test('a user signs up, publishes an offering with a cover, logs out and in again [e2e-37]', async ({
  visitor,
}, info) => {
  test.slow();
  const account = newAccount();
  await test.step('sign up', async () => {
    await visitor.open('/');
    await visitor.click(inMenu(link('Sign Up')));
    await signUp(visitor, account);
    await expectPath(visitor, '/create-profile');
  });
  await test.step('publish the profile', async () => {
    await visitor.fill({ label: /^Bio/ }, 'Paper, ink and patience.');
    await visitor.click({ role: 'radio', name: 'Show my email address' });
    await visitor.click(button('Save Profile'));
    await visitor.sees({ text: 'Profile updated successfully!' });
    await expectPath(visitor, '/dashboard');
  });
  await test.step('publish an offering', async () => {
    const { name, buffer } = await randomPhoto();
    const cover = info.outputPath(name);
    writeFileSync(cover, buffer);
    await visitor.click(link('Create Your First Offering'));
    await visitor.fill({ label: /^Title/ }, 'Twelve letters');
    await visitor.fill({ label: /^Price/ }, 'R150');
    await visitor.fill({ label: /^Payment Link/ }, 'https://pay.example.com/letters');
    await visitor.attach({ label: /^Cover Image/ }, cover);
    await visitor.sees({ role: 'img', name: 'Current picture' });
    await visitor.click(button('Create Offering'));
    await expectPath(visitor, '/dashboard');
    await visitor.sees(heading('Your Offerings (1)'));
    await visitor.sees(heading('Twelve letters'));
  });
  await test.step('log out and in again', async () => {
    await visitor.click(inMenu(button('Log Out')));
    await visitor.sees(inMenu(link('Log In')));
    await expectPath(visitor, '/');
    await visitor.click(inMenu(link('Log In')));
    await logIn(visitor, account);
    await expectPath(visitor, '/dashboard');
    await visitor.sees(heading('Twelve letters'));
  });
});
