import { type Input, media } from '@stoa/contracts';
import { Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { PreviewCardService } from './preview-card.service.ts';

@Controller()
export class PreviewCardsController {
  constructor(private readonly cards: PreviewCardService) {}

  @Handles(media.drawCard)
  drawCard(card: Input<typeof media.drawCard>) {
    return this.cards.locate(card);
  }
}
