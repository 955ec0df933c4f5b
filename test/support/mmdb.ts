/** Makes a minimal MaxMind database of countries (MaxMind DB File Format 2.0): IPv4 networks, each with an ISO code. */
export function mmdbOf(countries: Readonly<Record<string, string>>): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const nodes: (number | { dataAt: number } | null)[][] = [[null, null]];
  for (const [network, code] of Object.entries(countries)) {
    const [address = '', bits = ''] = network.split('/');
    const number = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
    const record = map({ country: map({ iso_code: text(code) }) });
    insert(nodes, number, Number(bits), { dataAt: dataBytes });
    data.push(record);
    dataBytes += record.length;
  }
  const tree = Buffer.concat(nodes.map((pair) => Buffer.concat(pair.map((entry) => recordOf(entry, nodes.length)))));
  const metadata = map({
    node_count: unsigned(6, nodes.length),
    record_size: unsigned(5, 24),
    ip_version: unsigned(5, 4),
    database_type: text('Test-Country'),
    languages: Buffer.from([0x00, 0x04]),
    binary_format_major_version: unsigned(5, 2),
    binary_format_minor_version: unsigned(5, 0),
    build_epoch: unsigned(6, 1_700_000_000),
    description: map({}),
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata]);
}

type Node = (number | { dataAt: number } | null)[];

function insert(nodes: Node[], address: number, bits: number, leaf: { dataAt: number }): void {
  let at = 0;
  for (let depth = 0; depth < bits - 1; depth++) {
    const side = (address >>> (31 - depth)) & 1;
    const next = nodes[at]![side];
    if (typeof next === 'number') at = next;
    else {
      nodes.push([null, null]);
      nodes[at]![side] = nodes.length - 1;
      at = nodes.length - 1;
    }
  }
  nodes[at]![(address >>> (32 - bits)) & 1] = leaf;
}

/** A record of 24 bits: the index of another node, no entry, or the offset of the data. */
function recordOf(entry: Node[number], nodeCount: number): Buffer {
  const value = entry === null ? nodeCount : typeof entry === 'number' ? entry : nodeCount + 16 + entry.dataAt;
  return Buffer.from([value >>> 16, (value >>> 8) & 0xff, value & 0xff]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
}

/** An unsigned integer: `type` 5 has 16 bits, `type` 6 has 32. */
function unsigned(type: 5 | 6, value: number): Buffer {
  const bytes = Buffer.alloc(type === 5 ? 2 : 4);
  bytes.writeUIntBE(value, 0, bytes.length);
  return Buffer.concat([Buffer.from([(type << 5) | bytes.length]), bytes]);
}

function map(entries: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(entries).flatMap(([key, value]) => [text(key), value]);
  return Buffer.concat([Buffer.from([(7 << 5) | (parts.length / 2)]), ...parts]);
}
