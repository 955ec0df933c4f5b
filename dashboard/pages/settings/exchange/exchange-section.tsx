export default function ExchangeSection() {
  return null;
}
