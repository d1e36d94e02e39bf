import { identity, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { AccountRecovery } from '../recovery/account-recovery.ts';
import { IdentityService } from './identity.service.ts';

@Controller()
export class IdentityController {
  constructor(
    private readonly service: IdentityService,
    private readonly recovery: AccountRecovery,
  ) {}

  @Handles(identity.open)
  open(input: Input<typeof identity.open>, call: Call) {
    return this.service.open(call.caller, input);
  }

  @Handles(identity.listSessions)
  listSessions(_: Input<typeof identity.listSessions>, call: Call) {
    return this.service.listSessions(call.caller);
  }

  @Handles(identity.endSession)
  endSession({ id }: Input<typeof identity.endSession>, call: Call) {
    return this.service.endSession(id, call);
  }

  @Handles(identity.signOutEverywhere)
  signOutEverywhere(_: Input<typeof identity.signOutEverywhere>, call: Call) {
    return this.service.signOutEverywhere(call.caller);
  }

  @Handles(identity.listSecondFactors)
  listSecondFactors(_: Input<typeof identity.listSecondFactors>, call: Call) {
    return this.service.listSecondFactors(call.caller);
  }

  @Handles(identity.deleteAccount)
  deleteAccount(_: Input<typeof identity.deleteAccount>, call: Call) {
    return this.service.deleteAccount(call.caller);
  }

  @Handles(identity.sendProof)
  sendProof(_: Input<typeof identity.sendProof>, call: Call) {
    return this.service.sendProof(call.caller);
  }

  @Handles(identity.undoChange)
  undoChange({ token }: Input<typeof identity.undoChange>, { requestId }: Call) {
    return this.recovery.undo(token, requestId);
  }

  @Handles(identity.listLinkChanges)
  listLinkChanges(_: Input<typeof identity.listLinkChanges>, call: Call) {
    return this.service.listLinkChanges(call.caller);
  }

  @Handles(identity.undoLinkChange)
  undoLinkChange({ token }: Input<typeof identity.undoLinkChange>, { requestId }: Call) {
    return this.service.undoLinkChange(token, requestId);
  }
}
