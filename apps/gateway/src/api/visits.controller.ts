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
    summary: "Counts a visit of a creator's page",
    description: `Stores no address and sets no cookie. Programs, and browsers that send \`DNT: 1\` or \`Sec-GPC: 1\`, are not counted.
204 when the visit is stored for counting, or is not counted.`,
    status: 204,
  })
  @ApiResponse({
    status: 202,
    description: 'Only kept in memory. Repeat the request to make sure that the visit is counted.',
  })
  async count(
    @Body({ schema: VisitForm }) form: VisitForm,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (isCounted(request) && !(await this.recorder.record(form, request))) reply.status(HttpStatus.ACCEPTED);
  }
}
