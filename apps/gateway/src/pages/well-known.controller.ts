import { paths } from '@stoa/contracts';
import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.decorator.ts';

/** Addresses that are the same on every site (RFC 8615). */
@Controller('.well-known')
@ApiExcludeController()
export class WellKnownController {
  /** Where password managers lead somebody who is to change a password (W3C). Signed out, the page asks for a log-in first. */
  @Get('change-password')
  @Public()
  @Header('cache-control', 'no-store')
  @Redirect(paths.account, 303)
  changePassword(): void {}
}
