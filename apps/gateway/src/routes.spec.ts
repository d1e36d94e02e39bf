import { usernameRefusal } from '@stoa/contracts';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { gatewaySurfaces } from '@stoa/testing/surfaces';
import { expect, test } from '@jest/globals';
import { accessKey } from './auth/access.decorator.ts';
import { GatewayModule } from './gateway.module.ts';

const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, GatewayModule) as Type[];

const routes = controllers.flatMap((controller) => {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = [controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
    const address = `/${path.join('/')}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
    return [
      {
        route: `${RequestMethod[method]} ${address}`,
        access: Reflect.getMetadata(accessKey, handler) as unknown,
      },
    ];
  });
});

test('every route declares its access level [gateway-14]', () => {
  expect(routes.length).toBeGreaterThan(15);
  const levels: unknown[] = ['public', 'creator', 'key', 'operator'];
  expect(routes.filter(({ access }) => !levels.includes(access))).toEqual([]);
});

test('the first path segment of every route is reserved as a username [gateway-15]', () => {
  const firsts = routes.map(({ route }) => /^\w+ \/\.?([\w-]*)/.exec(route)?.[1]).filter(Boolean);
  expect(firsts).toContain('oembed');
  expect(firsts.filter((word) => usernameRefusal(String(word)) !== 'reserved')).toEqual([]);
});

test('only these routes are public [gateway-16]', () => {
  const open = routes.filter(({ access }) => access === 'public').map(({ route }) => route);
  expect(open.toSorted()).toEqual([
    'GET /*',
    'GET /.well-known/change-password',
    'GET /api/config',
    'GET /api/creators',
    'GET /api/creators/:username',
    'GET /api/creators/:username/card.jpg',
    'GET /api/creators/:username/offerings',
    'GET /api/creators/:username/offerings/:slug',
    'GET /api/creators/:username/offerings/:slug/card.jpg',
    'GET /api/downloads/:creatorId/:offeringId/seller',
    'GET /api/showcase',
    'GET /api/usernames/:username',
    'GET /assets/:name',
    'GET /browse-creators',
    'GET /embed/:username',
    'GET /oembed',
    'GET /profile/:username',
    'GET /profile/:username/:slug',
    'GET /profile/:username/:slug/event.ics',
    'GET /profile/:username/feed.xml',
    'GET /robots.txt',
    'GET /sitemap.xml',
    'GET /sitemaps/pages.xml',
    'GET /sitemaps/profiles/:after.xml',
    'GET /terms',
    'POST /api/account-changes/undo',
    'POST /api/contact-messages',
    'POST /api/creators/:username/messages',
    'POST /api/link-changes/undo',
    'POST /api/reports',
    'POST /api/visits',
    'POST /contact',
    'POST /profile/:username/contact',
  ]);
});

test('every route that is public or opens to a key has a tested surface', () => {
  const open = routes.filter(({ access }) => access === 'public' || access === 'key');
  expect(open.map(({ route }) => route).toSorted()).toEqual(Object.keys(gatewaySurfaces).toSorted());
});

test('only the download page opens to a key', () => {
  const open = routes.filter(({ access }) => access === 'key').map(({ route }) => route);
  expect(open).toEqual(['GET /api/downloads/:creatorId/:offeringId']);
});

test('only operators can read and decide reports', () => {
  const open = routes.filter(({ access }) => access === 'operator').map(({ route }) => route);
  expect(open).toEqual(['GET /api/review/cases', 'POST /api/review/cases/:id/decisions']);
});
