import {
  limits,
  media,
  type PreviewCard,
  type PublicCreator,
  PublicOffering,
  requiredLine,
} from '@stoa/contracts';
import { Bus, withBudget } from '@stoa/messaging';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.ts';
import { offeringCard, profileCard } from '../reads/preview-card.ts';
import { CreatorReads, valueOf } from '../reads/creator-reads.ts';
import { PublicRoute } from './openapi.decorator.ts';

/**
 * Milliseconds to wait for a card. Drawing takes longer than a query, and programs that show link previews wait for seconds.
 */
const patienceMs = 8000;

const UsernameParam = requiredLine(60).describe('As in the address of the profile.');

/** Redirects to preview cards (pictures for link previews). The media service draws and stores them. */
@Controller('api/creators')
export class PreviewCardsController {
  constructor(
    private readonly creators: CreatorReads,
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  @Get(':username/card.jpg')
  @PublicRoute(null, {
    summary: 'Redirects to the preview card of a profile',
    description:
      'A JPEG of 1200 × 630 pixels with the picture, the name and the palette, drawn at the first request.',
    status: 302,
    problems: [404],
  })
  async ofProfile(
    @Param('username', { schema: UsernameParam }) username: string,
    @Res() reply: FastifyReply,
  ) {
    const creator = valueOf<PublicCreator>(await this.creators.profile(username));
    await this.lead(profileCard(creator), reply);
  }

  @Get(':username/offerings/:slug/card.jpg')
  @PublicRoute(null, {
    summary: 'Redirects to the preview card of an offering',
    description:
      'A JPEG of 1200 × 630 pixels with the cover, the title, the price and the palette, drawn at the first request.',
    status: 302,
    problems: [404],
  })
  async ofOffering(
    @Param('username', { schema: UsernameParam }) username: string,
    @Param('slug', { schema: requiredLine(limits.slugLength).describe('As in the address of the offering.') })
    slug: string,
    @Res() reply: FastifyReply,
  ) {
    const [profile, offering] = await Promise.all([
      this.creators.profile(username),
      this.creators.offering(username, slug),
    ]);
    const card = offeringCard(valueOf<PublicCreator>(profile), valueOf<PublicOffering>(offering));
    await this.lead(card, reply);
  }

  private async lead(card: PreviewCard, reply: FastifyReply): Promise<void> {
    const { path } = await withBudget(0, () => this.bus.ask(media.drawCard, card, { timeoutMs: patienceMs }));
    // Caches must revalidate the redirect each time, so that the card of a hidden page disappears immediately.
    void reply.header('cache-control', 'public, no-cache');
    // Lets other sites show the card in their pages.
    void reply.header('cross-origin-resource-policy', 'cross-origin');
    await reply.redirect(`${this.config.MEDIA_PUBLIC_URL}/${path}`, 302);
  }
}
