#include "ctl/demo_data.h"

namespace tradepost::ctl::demo {
namespace {

constexpr std::uint64_t seed = 20240229;

constexpr Town town_list[] = {
    {"Leeds", "LS", "West Yorkshire"},
    {"Manchester", "M", "Greater Manchester"},
    {"Birmingham", "B", "West Midlands"},
    {"Bristol", "BS", "Bristol"},
    {"Norwich", "NR", "Norfolk"},
    {"Exeter", "EX", "Devon"},
    {"York", "YO", "North Yorkshire"},
    {"Carlisle", "CA", "Cumbria"},
    {"Inverness", "IV", "Highland"},
    {"Aberdeen", "AB", "Aberdeenshire"},
    {"Glasgow", "G", "Glasgow"},
    {"Edinburgh", "EH", "Edinburgh"},
    {"Cardiff", "CF", "Cardiff"},
    {"Swansea", "SA", "Swansea"},
    {"Shrewsbury", "SY", "Shropshire"},
    {"Hereford", "HR", "Herefordshire"},
    {"Lincoln", "LN", "Lincolnshire"},
    {"Peterborough", "PE", "Cambridgeshire"},
    {"Ipswich", "IP", "Suffolk"},
    {"Colchester", "CO", "Essex"},
    {"Canterbury", "CT", "Kent"},
    {"Brighton", "BN", "East Sussex"},
    {"Southampton", "SO", "Hampshire"},
    {"Poole", "BH", "Dorset"},
    {"Plymouth", "PL", "Devon"},
    {"Truro", "TR", "Cornwall"},
    {"Swindon", "SN", "Wiltshire"},
    {"Oxford", "OX", "Oxfordshire"},
    {"Northampton", "NN", "Northamptonshire"},
    {"Leicester", "LE", "Leicestershire"},
    {"Nottingham", "NG", "Nottinghamshire"},
    {"Sheffield", "S", "South Yorkshire"},
    {"Hull", "HU", "East Riding of Yorkshire"},
    {"Newcastle upon Tyne", "NE", "Tyne and Wear"},
    {"Darlington", "DL", "County Durham"},
    {"Preston", "PR", "Lancashire"},
    {"Chester", "CH", "Cheshire"},
    {"Stoke-on-Trent", "ST", "Staffordshire"},
    {"Gloucester", "GL", "Gloucestershire"},
    {"Perth", "PH", "Perth and Kinross"},
    {"Dumfries", "DG", "Dumfries and Galloway"},
    {"Belfast", "BT", "County Antrim"},
    {"Llandudno", "LL", "Conwy"},
    {"King's Lynn", "PE", "Norfolk"},
    {"Milton Keynes", "MK", "Buckinghamshire"},
};

constexpr Sector sector_list[] = {
    {"cars",
     "new and used cars",
     "cars and light vans",
     {"{} Motor Company", "{} Car Centre", "{} Motors", "{} & Daughters Garage"},
     {"Vauxhall", "Škoda", "Kia", "VW", "Peugeot"},
     {"used-car values", "part exchange", "electric cars", "warranty claims"}},
    {"vans",
     "vans and light commercials",
     "vans and pickups",
     {"{} Van Sales", "{} Commercials", "{} Light Commercials", "{} Vans Direct"},
     {"Ford", "Renault", "Iveco", "Maxus", "Fiat"},
     {"payload rules", "fleet renewals", "electric vans", "racking and conversions"}},
    {"plant",
     "construction plant",
     "excavators, dumpers and telehandlers",
     {"{} Plant Sales", "{} Plant & Tool Hire", "{} Excavators", "{} Construction Equipment"},
     {"JCB", "Kubota", "Takeuchi", "Volvo CE", "Thwaites"},
     {"machine security", "hire rates", "HVO fuel", "attachments"}},
    {"agriculture",
     "farm machinery",
     "tractors, combines and balers",
     {"{} Farm Machinery", "{} Tractors", "{} Agricultural Engineers", "{} & Sons Agri"},
     {"John Deere", "New Holland", "Massey Ferguson", "Claas", "Fendt"},
     {"harvest preparation", "precision guidance", "tractor prices", "parts stocks"}},
    {"marine",
     "boats and marine engines",
     "inboard and outboard engines",
     {"{} Marine", "{} Boat Sales", "{} Yacht Brokers", "{} Chandlery"},
     {"Yamaha", "Mercury", "Suzuki", "Beneteau", "Orkney"},
     {"winter lay-up", "outboard servicing", "boat safety papers", "mooring prices"}},
    {"motorcycles",
     "motorcycles and scooters",
     "motorcycles",
     {"{} Motorcycles", "{} Bikes", "{} Superbikes", "{} Scooter Centre"},
     {"Triumph", "Honda", "Royal Enfield", "Ducati", "BMW"},
     {"spring bike sales", "A2 licences", "classic bikes", "riding kit"}},
    {"leisure",
     "caravans and motorhomes",
     "caravans, motorhomes and campervans",
     {"{} Caravans", "{} Leisure Vehicles", "{} Motorhomes", "{} Touring Centre"},
     {"Swift", "Bailey", "Elddis", "Auto-Trail", "Adria"},
     {"damp checks", "habitation services", "touring season", "campervan values"}},
    {"trucks",
     "trucks and trailers",
     "trucks and trailers",
     {"{} Truck Centre", "{} Trailers", "{} Truck & Trailer", "{} Haulage Sales"},
     {"DAF", "Scania", "Volvo", "MAN", "Schmitz"},
     {"MOT first-time passes", "tachograph rules", "trailer inspections", "driver shortages"}},
    {"handling",
     "forklifts and handling equipment",
     "forklifts and access platforms",
     {"{} Fork Trucks", "{} Lift Trucks", "{} Handling", "{} Access & Handling"},
     {"Linde", "Toyota", "Hyster", "Jungheinrich", "Genie"},
     {"LOLER inspections", "lithium batteries", "short-term hire", "operator training"}},
};

constexpr std::string_view first_names[] = {"Harriet", "Owen",  "Priya",   "Callum",   "Gwen",  "Tomasz", "Isla",
                                            "Rhys",    "Amina", "Fergus",  "Beth",     "Imran", "Morag",  "Dylan",
                                            "Chloe",   "Ravi",  "Siobhán", "Alistair", "Megan", "Kwame",  "Eleanor",
                                            "Hamish",  "Zoë",   "Declan",  "Joanna",   "Tariq", "Nia",    "Stuart"};
constexpr std::string_view surnames[] = {
    "Lowe",     "Hargreaves", "Pritchard", "MacLeod",    "Thackray",  "Bannister", "O'Brien", "Fairclough", "Penrose",
    "Whitaker", "Nash",       "Ellwood",   "Cartwright", "Sutcliffe", "Davies",    "Okafor",  "Trelawny",   "Patel",
    "Kerr",     "Holroyd",    "Marsden",   "Griffiths",  "Dunmore",   "Ashworth",  "Birkett", "Calder",     "Renwick",
    "Stobart",  "Wainwright", "Yardley",   "Hussain",    "Nowak",     "Garrick",   "Loxley",  "Tindall"};

}  // namespace

Random::Random(std::string_view kind, std::size_t item) : state_(seed) {
    for (const char c : kind) state_ = state_ * 1099511628211u + static_cast<unsigned char>(c);
    state_ += item * 0x9e3779b97f4a7c15u;
}

// SplitMix64: all of the state's bits reach the result, so that neighbouring items have nothing in common.
std::uint64_t Random::next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::span<const Town> towns() {
    return town_list;
}
std::span<const Sector> sectors() {
    return sector_list;
}

std::string surname(Random& random) {
    return std::string(random.pick(surnames));
}

std::string person(Random& random) {
    const std::string first(random.pick(first_names));
    return first + " " + surname(random);
}

std::string postcode(Random& random, const Town& town) {
    static constexpr std::string_view letters = "ABDEFGHJLNPQRSTUWXYZ";
    std::string code =
        std::string(town.postcode_area) + std::to_string(1 + random.below(19)) + " " + std::to_string(1 + random.below(9));
    code += random.pick(letters);
    code += random.pick(letters);
    return code;
}

core::Uuid id(std::string_view kind, std::size_t item) {
    Random random(kind, item + (std::size_t(1) << 40));
    const std::uint64_t ms = 1735689600000u + item * 60000u;  // from 2025 on
    std::string bytes;
    for (int i = 5; i >= 0; --i) bytes += char(ms >> (8 * i));
    for (int i = 0; i < 10; ++i) bytes += char(random.next());
    bytes[6] = char((bytes[6] & 0x0f) | 0x70);
    bytes[8] = char((bytes[8] & 0x3f) | 0x80);
    return core::Uuid::from_bytes(bytes);
}

}  // namespace tradepost::ctl::demo
