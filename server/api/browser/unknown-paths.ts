import type { FastifyInstance, FastifyRequest } from 'fastify'

import { notFound } from '../../platform/errors.ts'
import { replyTo } from '../reply/error-replies.ts'
import { sendErrorPage } from './pages.ts'

/** Where only programs send requests, whatever they accept. */
const OF_PROGRAMS = /^\/(api|mcp|oauth|\.well-known|webhooks|dashboard|assets|files|cable|sip)(\/|\?|$)/

/** A page for somebody who follows a link or mistypes an address, JSON for everybody else. */
export function replyToUnknownPaths(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request) ? sendErrorPage(notFound(), request, reply) : replyTo(notFound(), request, reply),
  )
}

const isNavigation = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  !OF_PROGRAMS.test(url) &&
  /\btext\/html\b/.test(headers.accept ?? '')
