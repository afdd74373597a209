// Exchange.java - the regular expressions of an exported file, run by java.util.regex the way the tools run them.
//
//     java Exchange.java nutch|stormcrawler|heritrix FILE <urls >keys
//
// Nutch and StormCrawler: Matcher.replaceAll, rule by rule. Heritrix: Matcher.matches, then appendReplacement.
// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.*;

public class Exchange {
    static final List<Pattern> patterns = new ArrayList<>();
    static final List<String> results = new ArrayList<>();

    static void readNutch(String file) throws Exception {
        NodeList list = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file)).getElementsByTagName("regex");
        for (int i = 0; i < list.getLength(); i++) {
            Element e = (Element) list.item(i);
            patterns.add(Pattern.compile(e.getElementsByTagName("pattern").item(0).getTextContent()));
            results.add(e.getElementsByTagName("substitution").item(0).getTextContent());
        }
    }

    static void readHeritrix(String file) throws Exception {
        NodeList list = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file)).getElementsByTagName("property");
        for (int i = 0; i < list.getLength(); i++) {
            Element e = (Element) list.item(i);
            if (e.getAttribute("name").equals("regex"))
                patterns.add(Pattern.compile(e.getAttribute("value")));
            if (e.getAttribute("name").equals("format"))
                results.add(e.getAttribute("value"));
        }
    }

    // The one shape of JSON that is written: a pattern and a substitution a line.
    static void readStormCrawler(String file) throws Exception {
        Pattern line = Pattern.compile("\\{\"pattern\": \"(.*)\", \"substitution\": \"(.*)\"\\}");
        for (String s : Files.readAllLines(Path.of(file))) {
            Matcher m = line.matcher(s);
            if (m.find()) {
                patterns.add(Pattern.compile(m.group(1).replace("\\\"", "\"").replace("\\\\", "\\")));
                results.add(m.group(2).replace("\\\\", "\\"));
            }
        }
    }

    static String whole(Matcher m, String url, String result) {
        if (!m.matches())
            return url;
        StringBuffer b = new StringBuffer();
        m.appendReplacement(b, result);
        return b.toString();
    }

    public static void main(String[] args) throws Exception {
        boolean heritrix = args[0].equals("heritrix");
        if (heritrix)
            readHeritrix(args[1]);
        else if (args[0].equals("nutch"))
            readNutch(args[1]);
        else
            readStormCrawler(args[1]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "ISO-8859-1");
        for (String url; (url = in.readLine()) != null;) {
            for (int i = 0; i < patterns.size(); i++) {
                Matcher m = patterns.get(i).matcher(url);
                url = heritrix ? whole(m, url, results.get(i)) : m.replaceAll(results.get(i));
            }
            out.print(url + "\n");
        }
        out.flush();
    }
}
