import {
  type NewOfferingForm,
  type Offering,
  paths,
  type ProfileForm,
  type ReviewCaseList,
} from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchJson } from '../api.ts';
import {
  type Account,
  makeCreator,
  makeNewcomer,
  makeOffering,
  newAccount,
  saveProfile,
  type TestCreator,
  upload,
  uploadFile,
} from '../creators.ts';
import { makeDownloadPage } from '../delivery.ts';
import { randomFile } from '../files.ts';
import { verifyEmail } from '../keycloak-admin.ts';
import type { PictureFile } from '../pictures.ts';
import { repository } from '../repository.ts';
import { makeOperator, makeReport } from '../review-use-cases.ts';
import type { Delivery, World } from './screen.ts';

/** Reads a picture of the sample data, so that screenshots resemble real pages. */
export function samplePicture(name: string): PictureFile {
  const buffer = readFileSync(join(repository, 'tools/seed/data/pictures', `${name}.webp`));
  return { name: `${name}.webp`, mimeType: 'image/webp', buffer };
}

function person(displayName: string, name: string): Account {
  const account = newAccount();
  const [username = '', email = ''] = [account.username, account.email].map((text) =>
    text.replace(/^[a-z]+/, name),
  );
  return { ...account, displayName, username, email };
}

/** Creates all accounts of the screens, except the creator with a full profile. */
export async function makeScreenAccounts(): Promise<Omit<World, 'creator'>> {
  const [newcomer, delivery, beginner, seller, rightToLeft, operator, leaver] = await Promise.all([
    makeCreator(person('Thandi Mokoena', 'thandi')),
    makeDownloadPage(),
    makeBeginner(),
    makeSeller(),
    makeRightToLeft(),
    makeOperator(),
    makeCreator(),
  ]);
  await makeCases(seller, operator);
  return { newcomer, delivery, beginner, seller, rightToLeft, operator, leaver };
}

const evening = { start: '2030-12-03T18:00', end: '2030-12-03T20:30', timeZone: 'Africa/Johannesburg' };
const over = { start: '2024-05-04T10:00', end: '2024-05-04T13:00', timeZone: 'Africa/Johannesburg' };

async function makeBeginner(): Promise<World['beginner']> {
  const beginner = await makeNewcomer(person('Sipho Ndlovu', 'sipho'));
  const { id: draftId } = await makeOffering(beginner.token, {
    ...{ title: 'Bread for Beginners', price: 'R350', type: 'Workshop', state: 'draft' },
    description: 'One morning, one dough, one loaf to take home. Flour and oven are there.',
    ...{ schedule: evening, seats: 6 },
    coverImageId: (
      await upload(beginner.token, 'offering-cover', samplePicture('aroha-ngata-balm-making-live'))
    ).id,
  });
  return { ...beginner, draftId };
}

type Given = Partial<NewOfferingForm> & { cover: string };

/** Offerings of the seller. The profile shows the last one first. */
const wares = {
  ended: {
    title: 'Paper by Hand',
    type: 'Workshop',
    schedule: over,
    cover: 'ines-maldonado-papel-picado-templates',
  },
  soldOut: {
    title: 'Weaving, Season One',
    type: 'Course',
    state: 'sold_out',
    cover: 'linnea-sorberg-carving-patterns-vol-1',
  },
  hidden: { title: 'Portraits of Strangers', cover: 'kwame-asante-portraits-from-life' },
  appealed: { title: 'Postcards from Nowhere', cover: 'mei-tanaka-kettle-key-umbrella' },
  dismissed: {
    title: 'Studio Recordings',
    type: 'Other',
    deliveryUrl: 'https://studio.example.com/recordings',
    cover: 'mamadou-diallo-twenty-one-strings',
  },
  text: {
    title: 'A Letter Every Month',
    deliveryText: 'Write to me at letters@example.com with your address, and the first one leaves on Monday.',
    cover: 'noor-alhassan-forty-small-letters',
  },
  reported: { title: 'The Blue Notebook', cover: 'amara-okafor-what-the-river-kept' },
  workshop: {
    title: 'Linocut for Beginners',
    type: 'Workshop',
    price: 'R450',
    schedule: evening,
    seats: 4,
    deliveryText: 'Bring an apron. The room is on the first floor: ring at “Dube”.',
    cover: 'linnea-sorberg-your-first-linocut',
  },
  several: {
    title: 'Twelve Etchings',
    price: 'R220',
    deliveryUrl: 'https://etchings.example.com/in',
    deliveryText: 'Thank you! Print them on matt paper, A4 or larger.',
    cover: 'linnea-sorberg-harbour-five-greys',
  },
} as const satisfies Record<string, Given>;
type Ware = keyof typeof wares;

const sellerProfile: Partial<ProfileForm> = {
  ...{ displayName: 'Zanele Dube', palette: 'aegean', layout: 'list', contactBy: 'form' },
  bio: 'Printmaker in Durban. I carve, ink and press by hand, and teach it on the last Tuesday of the month.',
  niches: ['Artist', 'Writer'],
  paygates: [{ name: 'Buy me a roll of paper', url: 'https://tips.example.com/zanele' }],
  links: [{ label: 'My press, in pictures', url: 'https://press.example.com/zanele' }],
};

async function makeSeller(): Promise<World['seller']> {
  const seller = await makeCreator(person('Zanele Dube', 'zanele'));
  const { token } = seller;
  // Confirms the address, because the service sends no mail to an unconfirmed one.
  await verifyEmail(seller);
  const [profileImageId, headerImageId] = await Promise.all([
    upload(token, 'profile-picture', samplePicture('lindiwe-khumalo')),
    upload(token, 'profile-header', samplePicture('linnea-sorberg-riso-from-scratch')),
  ]).then((pictures) => pictures.map(({ id }) => id));
  await saveProfile(token, { ...sellerProfile, profileImageId, headerImageId });
  const files = await Promise.all(
    ['etchings-1-to-6.pdf', 'etchings-7-to-12.pdf'].map((name) =>
      uploadFile(token, randomFile(90_000, name)),
    ),
  );
  const made = new Map<Ware, Offering>();
  for (const [ware, given] of Object.entries(wares) as [Ware, Given][]) {
    const { cover, ...form } = given;
    const { id: coverImageId } = await upload(token, 'offering-cover', samplePicture(cover));
    const offering = await makeOffering(token, {
      ...{ description: 'Made at my table in Durban, one at a time.\n\nYou get it at once.', price: 'R150' },
      ...form,
      ...(ware === 'several' && { files: files.map(({ id }) => ({ id })) }),
      coverImageId,
    });
    made.set(ware, offering);
  }
  await changePaymentHost(token, of(made, 'several'));
  const body = { ...message, id: randomUUID() };
  await fetchJson('POST', `/api/creators/${seller.username}/messages`, { body });
  const delivery = (ware: Ware): Delivery => {
    const { id, deliveryKey } = of(made, ware);
    return { page: paths.download(seller.uid, id), key: deliveryKey };
  };
  return {
    ...seller,
    slugs: {
      soldOut: of(made, 'soldOut').slug,
      workshop: of(made, 'workshop').slug,
      ended: of(made, 'ended').slug,
    },
    workshopId: of(made, 'workshop').id,
    deliveries: {
      several: delivery('several'),
      link: delivery('dismissed'),
      text: delivery('text'),
      workshop: delivery('workshop'),
    },
  };
}

function of(made: ReadonlyMap<Ware, Offering>, ware: Ware): Offering {
  const offering = made.get(ware);
  if (!offering) throw new Error(`There is no ${ware}.`);
  return offering;
}

const message = {
  name: 'Johan van Wyk',
  email: 'johan@example.com',
  subject: 'A print for my mother',
  message: 'Good morning!\n\nIs there one with birds on it?\n\nJohan',
};

/** Changes the host of a payment link. The owner gets a mail, and the log shows the change. */
async function changePaymentHost(token: string, offering: Offering): Promise<void> {
  const { id, title, description, price, type } = offering;
  const body = { title, description, price, type, paymentUrl: 'https://till.example.net/etchings' };
  await fetchJson('PUT', `/api/offerings/${id}`, { token, body });
}

async function makeRightToLeft(): Promise<World['rightToLeft']> {
  const creator = await makeCreator(person('ليلى حداد', 'layla'));
  const { token, displayName } = creator;
  const { id: profileImageId } = await upload(token, 'profile-picture', samplePicture('noor-alhassan'));
  await saveProfile(token, {
    ...{ displayName, profileImageId, contactBy: 'email', palette: 'olive' },
    bio: 'أكتب رسائل قصيرة بالحبر، وأرسلها ببطء إلى من يقرأ ببطء.',
    niches: ['Writer', 'Poet'],
    paygates: [{ name: 'فنجان قهوة', url: 'https://tips.example.com/layla' }],
  });
  const cover = await upload(token, 'offering-cover', samplePicture('noor-alhassan-the-quiet-room'));
  const { slug } = await makeOffering(token, {
    title: 'اثنتا عشرة رسالة',
    description:
      'رسالة كل شهر، مكتوبة باليد على ورق من Fabriano.\n\n- اثنتا عشرة رسالة\n- مظروف مختوم\n- تصل إلى أي مكان',
    price: 'R150',
    coverImageId: cover.id,
  });
  return { ...creator, slug };
}

/** Reports several offerings of the seller, and decides about all but one. */
async function makeCases(seller: TestCreator, { token }: { token: string }): Promise<void> {
  const { items: offerings } = await fetchJson<{ items: Offering[] }>('GET', '/api/me/offerings', {
    token: seller.token,
  });
  const slugOf = ({ title }: Given) => offerings.find((offering) => offering.title === title)?.slug;
  const { hidden, appealed, dismissed, reported } = wares;
  for (const ware of [hidden, appealed, dismissed, reported])
    await fetchJson('POST', '/api/reports', { body: makeReport(seller.username, slugOf(ware)) });
  const { items } = await fetchJson<ReviewCaseList>('GET', '/api/review/cases', { token });
  const caseOf = ({ title }: Given) => {
    const found = items.find(
      ({ creatorId, offering }) => creatorId === seller.uid && offering?.title === title,
    );
    if (!found) throw new Error(`The report of ${title} is not in the queue.`);
    return found.id;
  };
  const decide = (ware: Given, body: object) =>
    fetchJson('POST', `/api/review/cases/${caseOf(ware)}/decisions`, { token, body });
  const hide = { decision: 'hide', reason: 'rights', text: 'The faces are of people who were not asked.' };
  await decide(hidden, hide);
  await decide(appealed, { ...hide, reason: 'misleading', text: 'Say how many there are, and how large.' });
  await decide(dismissed, { decision: 'dismiss', text: '' });
  const text = 'It says so in the second line now: ten cards, A6, on paper of 300 g.';
  await fetchJson('POST', `/api/me/takedowns/${caseOf(appealed)}/appeal`, {
    token: seller.token,
    body: { text },
  });
}
