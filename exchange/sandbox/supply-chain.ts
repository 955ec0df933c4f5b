/** OpenRTB SupplyChain object 1.0: the publisher sells directly. In 2.5 it is `source.ext.schain`. */
export function directSupplyChain(publisherId: string) {
  return { complete: 1, ver: '1.0', nodes: [{ asi: 'sandbox.example', sid: publisherId, hp: 1 }] } as const;
}
