declare module 'axios/unsafe/adapters/xhr.js' {
  const adapter: import('axios').AxiosAdapter;
  export default adapter;
}
