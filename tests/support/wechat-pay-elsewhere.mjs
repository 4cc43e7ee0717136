// Loaded before a server: redirects its requests to WeChat Pay to the address in the environment.
const there = 'https://api.mch.weixin.qq.com';
const { fetch: ask } = globalThis;
globalThis.fetch = (address, options) => ask(String(address).replace(there, process.env.WECHAT_PAY_ELSEWHERE), options);
