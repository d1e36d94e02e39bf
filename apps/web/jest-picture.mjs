export default '/assets/picture.webp';
