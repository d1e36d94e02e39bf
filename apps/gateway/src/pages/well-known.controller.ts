import { paths } from '@stoa/contracts';
import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.decorator.ts';

@Controller('.well-known')
@ApiExcludeController()
export class WellKnownController {
  /** Password managers open this address to change a password (W3C). Without a session the page starts a log-in. */
  @Get('change-password')
  @Public()
  @Header('cache-control', 'no-store')
  @Redirect(paths.account, 303)
  changePassword(): void {}
}
