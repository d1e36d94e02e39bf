import type { Account, Caller } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { IdentityRepository } from './identity.repository.ts';

@Injectable()
export class IdentityService {
  constructor(private readonly accounts: IdentityRepository) {}

  async open(caller: Caller): Promise<Account> {
    const account = await this.accounts.open({
      uid: caller.uid,
      username: caller.username.toLowerCase(),
      email: caller.email.toLowerCase(),
      termsAcceptedAt: caller.termsAcceptedAt,
    });
    if (!account) throw new Refusal('conflict', 'This username belongs to somebody else.');
    return account;
  }
}
