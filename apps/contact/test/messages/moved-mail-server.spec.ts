import { mailTransport } from '@stoa/platform';
import { MovingName } from '@stoa/testing';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MailServer } from '../mail-server.ts';

let server: MailServer;
let place: MovingName;
beforeEach(async () => {
  server = await MailServer.start();
  place = await MovingName.open(new URL(server.url).port);
});
afterEach(async () => {
  place.close();
  await server.stop();
});

const mail = { from: 'stoa@stoa.test', to: 'creator@stoa.test', subject: 'Moved', text: 'Moved.' };

test('a mail reaches a mail server that moved while the old address drops every packet', async () => {
  const transport = createTransport({ url: place.in(server.url), ...mailTransport });
  const sent = transport.sendMail(mail);
  await place.dialled();
  place.move();
  await sent;
  // The mail server changes its address again. This mail fails if the transport has cached the previous one.
  place.vanish();
  const again = transport.sendMail(mail);
  await place.dialled();
  place.move();
  await again;
  expect(server.received).toHaveLength(2);
});
