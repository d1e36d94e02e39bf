import { creators, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { CreatorsService } from './creators.service.ts';
import { VisitsService } from '../visits/visits.service.ts';

@Controller()
export class CreatorsController {
  constructor(
    private readonly service: CreatorsService,
    private readonly visits: VisitsService,
  ) {}

  @Handles(creators.open)
  open(_: Input<typeof creators.open>, call: Call) {
    return this.service.open(call);
  }

  @Handles(creators.readOwn)
  readOwn(_: Input<typeof creators.readOwn>, call: Call) {
    return this.service.readOwn(call.caller);
  }

  @Handles(creators.update)
  update(changes: Input<typeof creators.update>, call: Call) {
    return this.service.update(changes, call);
  }

  @Handles(creators.browse)
  browse(query: Input<typeof creators.browse>) {
    return this.service.browse(query);
  }

  @Handles(creators.find)
  find({ username }: Input<typeof creators.find>) {
    return this.service.find(username);
  }

  @Handles(creators.findMany)
  findMany({ usernames }: Input<typeof creators.findMany>) {
    return this.service.findMany(usernames);
  }

  @Handles(creators.checkUsername)
  checkUsername({ username }: Input<typeof creators.checkUsername>) {
    return this.service.checkUsername(username);
  }

  @Handles(creators.findName)
  findName({ uid }: Input<typeof creators.findName>) {
    return this.service.findName(uid);
  }

  @Handles(creators.findMailbox)
  findMailbox({ username }: Input<typeof creators.findMailbox>) {
    return this.service.findMailbox(username);
  }

  @Handles(creators.listProfiles)
  listProfiles({ after }: Input<typeof creators.listProfiles>) {
    return this.service.listProfiles(after);
  }

  @Handles(creators.surveyProfiles)
  surveyProfiles() {
    return this.service.surveyProfiles();
  }

  @Handles(creators.readNumbers)
  readNumbers({ days }: Input<typeof creators.readNumbers>, call: Call) {
    return this.visits.readNumbers(days, call.caller);
  }

  @Handles(creators.listVisits)
  listVisits(time: Input<typeof creators.listVisits>, call: Call) {
    return this.visits.list(time, call.caller);
  }
}
