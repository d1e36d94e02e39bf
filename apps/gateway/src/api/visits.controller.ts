import { VisitForm } from '@stoa/contracts';
import { Body, Controller, HttpStatus, Post, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicRoute } from './openapi.decorator.ts';
import { Limited } from '../http/rate-limits.ts';
import { isCounted, VisitRecorder } from '../visits/visit-recorder.ts';

@Controller('api/visits')
export class VisitsController {
  constructor(private readonly recorder: VisitRecorder) {}

  @Post()
  @Limited('visit')
  @PublicRoute(null, {
    summary: 'Counts a visit of a page of a creator',
    description: `Keeps no address and sets no cookie; programs, and browsers that send \`DNT: 1\` or \`Sec-GPC: 1\`, are not counted.
204 when there is nothing to count, or it is stored to be counted.`,
    status: 204,
  })
  @ApiResponse({ status: 202, description: 'Kept in memory; repeat it to be sure that it is counted.' })
  async count(
    @Body({ schema: VisitForm }) form: VisitForm,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (isCounted(request) && !(await this.recorder.record(form, request))) reply.status(HttpStatus.ACCEPTED);
  }
}
