import { Boolean as Bool, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { get, post } from './contract.ts';
import { problem } from './errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

const Request = Shape({
  client_id: text(64),
  /** `code`. */
  response_type: Omissible(text(16)),
  /** One of those registered for the client, to the letter. */
  redirect_uri: text(1024),
  state: Omissible(text(512)),
  /** PKCE; required of a client without a secret. */
  code_challenge: Omissible(text(128)),
  /** `S256`. */
  code_challenge_method: Omissible(text(16)),
});

/** What another program asks when it wants to be told who is signed in here. */
export type AuthorizeRequest = Static<typeof Request>;

/** The console's page that asks for consent; `GET /oauth/authorize` sends the browser there with the same parameters. */
export const consentPage = '/oauth/consent';

/** Signing in elsewhere with an account of ours: the authorization code grant, `wire.md` §2.5. */
export const authorization = {
  authorize: get('/oauth/authorize', {
    title: ['授权', 'Authorize'],
    who: 'open',
    redirect: true,
    input: Request,
    reply: text(4096),
  }),
  /** What the consent page shows; with `isTrusted` it need not ask. */
  ask: get('/api/blade-auth/oauth/consent', {
    title: ['授权确认', 'What is asked for'],
    who: 'signedIn',
    input: Request,
    reply: Shape({ clientId: text(64), host: text(255), isTrusted: Bool() }),
  }),
  /** Where to send the browser with what the user decided: back to the program that asks, with a code or with `error=access_denied`. */
  answer: post('/api/blade-auth/oauth/consent', {
    title: ['同意或拒绝授权', 'Consent or refuse'],
    who: 'signedIn',
    input: Shape({ ...Request.properties, approve: Bool() }),
    reply: Shape({ location: text(4096) }),
  }),
};

/** Why another program is not told who is signed in. */
export const authorizationProblems = {
  unknownClient: problem(400, ['未知的应用', 'Unknown application.']),
  wrongRedirect: problem(400, ['回调地址未登记', 'The redirect address is not registered.']),
  wrongRequest: problem(400, ['授权请求无效', 'The authorization request is not valid.']),
};
