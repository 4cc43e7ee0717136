/** Path of the consent page in the console; `GET /oauth/authorize` redirects the browser there with the same parameters. */
export const consentPage = '/oauth/consent';
