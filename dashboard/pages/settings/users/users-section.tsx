export default function UsersSection() {
  return null;
}
