import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

const Request = Type.Object({
  client_id: text(64),
  /** Always `code`. */
  response_type: Type.Optional(text(16)),
  /** Must equal a redirect URI registered for the client, character by character. */
  redirect_uri: text(1024),
  state: Type.Optional(text(512)),
  /** PKCE challenge; required for a client without a secret. */
  code_challenge: Type.Optional(text(128)),
  /** Always `S256`. */
  code_challenge_method: Type.Optional(text(16)),
});

/** Authorization request of another application that signs users in with their accounts here. */
export type AuthorizeRequest = Static<typeof Request>;

/** Authorization code grant (OAuth 2.0), which lets users sign in to other applications with their account here. */
export const authorization = {
  authorize: get('/oauth/authorize', {
    title: ['授权', 'Authorize'],
    access: 'open',
    redirect: true,
    input: Request,
    reply: text(4096),
  }),
  /** Returns the data of the consent page, which grants access to a trusted client without asking. */
  ask: get('/api/blade-auth/oauth/consent', {
    title: ['授权确认', 'Authorization details'],
    access: 'signedIn',
    input: Request,
    reply: Type.Object({ clientId: text(64), host: text(255), isTrusted: Type.Boolean() }),
  }),
  /** Records the decision of the user and returns the address of the requesting application, with a code or with `error=access_denied`. */
  answer: post('/api/blade-auth/oauth/consent', {
    title: ['同意或拒绝授权', 'Allow or deny'],
    access: 'signedIn',
    input: Type.Object({ ...Request.properties, approve: Type.Boolean() }),
    reply: Type.Object({ location: text(4096) }),
  }),
};

/** Errors of an authorization request. */
export const authorizationProblems = {
  unknownClient: problem(400, ['未知的应用', 'Unknown application.']),
  wrongRedirect: problem(400, ['回调地址未登记', 'The redirect address is not registered.']),
  wrongRequest: problem(400, ['授权请求无效', 'The authorization request is not valid.']),
};
