import { type Facts, identity } from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { ContactService } from './contact.service.ts';

@Injectable()
export class ContactListener {
  constructor(private readonly service: ContactService) {}

  @Listens(identity.closed)
  accountClosed({ uid, at }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, at, id);
  }

  @Listens(identity.emailVerified)
  emailVerified({ uid, email, at }: Facts<typeof identity.emailVerified>) {
    return this.service.release(uid, email, at);
  }
}
