import dev.gyre.structures.map.*;
import dev.gyre.structures.trie.*;
import dev.gyre.kernels.map.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
public class S {
  interface Op { void run() throws Exception; }
  static long sink;
  static void go(String name,double per,int rounds,Op prepare,Op op) throws Exception {
    ArrayList<Long> all=new ArrayList<>();
    for(int i=0;i<rounds;i++){ prepare.run(); long s=System.nanoTime(); op.run(); all.add(System.nanoTime()-s);}
    List<Long> h=all.subList(all.size()/3,all.size()); Collections.sort(h);
    System.out.printf("%s %.3f%n",name,h.get(h.size()/2)/per);
  }
  public static void main(String[] a) throws Exception {
    Op none=()->{};
    for(String op:a[0].split(",")) switch(op){
      case "two" -> { int n=1<<20; long[] k=new SplittableRandom(1).longs().distinct().limit(n).toArray(), v=new long[n];
        long t0=System.nanoTime();
        try(var x=LongLongMap.builder().capacity(n).layout(Layout.REFERENCE).build(); var y=LongLongMap.builder().capacity(n).layout(Layout.LINE).build(); var z=LongLongMap.builder().capacity(n).hash(new XorHash()).build()){
          x.insert(k,v); y.insert(k,v); z.insert(k,v); x.find(k,v); y.find(k,v); z.find(k,v);
          System.out.printf("first %.3f%n",(System.nanoTime()-t0)/1e6);
          for(var e:Map.of("ref",x,"line",y,"hash",z).entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()){ var m=e.getValue();
            go("two-insert-"+e.getKey(),n,15,m::clear,()->m.insert(k,v)); go("two-find-"+e.getKey(),n,15,none,()->m.find(k,v));
            go("two-put-"+e.getKey(),n,9,m::clear,()->{for(long q:k)m.put(q,q);}); go("two-get-"+e.getKey(),n,9,none,()->{long s=0;for(long q:k)s+=m.getOrDefault(q,0);sink+=s;}); go("two-applyIf-"+e.getKey(),n,9,none,()->m.insertOrApply(k,v,Apply.ADD)); }
        } }
      case "text" -> { int n=1<<17; String[] s=new String[n], no=new String[n]; for(int i=0;i<n;i++){ s[i]="some key "+i*31; no[i]="some key "+(i*31+7); } for(String q:no) q.hashCode();
        try(var m=TextLongMap.builder().capacity(n).textBytes(n*24L).build()){ for(String q:s)m.put(q,1);
          go("text-hit",n,60,none,()->{long q=0;for(String x:s)q+=m.getOrDefault(x,0);sink+=q;});
          go("text-miss",n,60,none,()->{long q=0;for(String x:no)q+=m.getOrDefault(x,0);sink+=q;});
          go("text-half",2*n,60,none,()->{long q=0;for(int i=0;i<n;i++)q+=m.getOrDefault(s[i],0)+m.getOrDefault(no[i],0);sink+=q;}); } }
      case "big" -> { int n=8<<20; long[] k=new SplittableRandom(1).longs().distinct().limit(n).toArray(), v=new long[n];
        long[] g=new SplittableRandom(5).ints(n/4,0,n).mapToLong(i->k[i]).toArray();
        try(var m=LongLongMap.builder().capacity(n).build()){ go("big-insert",n,9,m::clear,()->m.insert(k,v)); go("big-find",n,9,none,()->m.find(k,v)); go("big-get",n/4,9,none,()->{long q=0;for(long x:g)q+=m.getOrDefault(x,0);sink+=q;}); go("big-put",n/4,5,m::clear,()->{for(long x:g)m.put(x,x);}); }
        go("big-new",n,5,none,()->{try(var m=LongLongMap.create()){m.insert(k,v);}}); }
      case "words" -> { byte[][] b; try(var d=Files.list(Path.of(a[1]))){ b=d.sorted().map(f->{try{return Files.readAllBytes(f);}catch(Exception e){throw new RuntimeException(e);}}).toArray(byte[][]::new);} int len=0; for(var x:b)len+=x.length; byte[] t=new byte[len]; int at=0; for(var x:b){System.arraycopy(x,0,t,at,x.length);at+=x.length;} long L=len;
        System.out.println("bytes "+len);
        go("words-new",L,25,none,()->{try(var w=WordTrie.create()){w.add(t);}});
        try(var w=WordTrie.create()){ go("words-again",L,25,none,()->w.add(t)); }
        byte[] t16=new byte[16*len]; for(int i=0;i<16;i++)System.arraycopy(t,0,t16,i*len,len);
        for(int k:new int[]{2,4,8,16}) go("books16-w"+k,16.0*L,k==2?5:9,none,()->{try(var w=WordTrie.builder().workers(k).build()){w.add(t16);}});
        for(int k:new int[]{1,2,4,8}) go("books-w"+k,L,15,none,()->{try(var w=WordTrie.builder().workers(k).build()){w.add(t);}});
        // many different words
        StringBuilder sb=new StringBuilder(); var r=new SplittableRandom(3); for(int i=0;i<2_000_000;i++){ long id=(long)Math.pow(300_000,r.nextDouble()); id=id*0x9E3779B97F4A7C15L; int l=3+(int)(id>>>61); for(int j=0;j<l;j++){sb.append((char)('a'+Math.floorMod(id,26)));id/=26;} sb.append(' ');} byte[] z=sb.toString().getBytes();
        go("zipf-new",z.length,15,none,()->{try(var w=WordTrie.create()){w.add(z);}});
        StringBuilder ub=new StringBuilder(); for(int i=0;i<2_000_000;i++){ long id=(1+r.nextInt(300_000))*0x9E3779B97F4A7C15L; int l=3+(int)(id>>>61); for(int j=0;j<l;j++){ub.append((char)('a'+Math.floorMod(id,26)));id/=26;} ub.append(' ');} byte[] u=ub.toString().getBytes();
        go("unif-new",u.length,15,none,()->{try(var w=WordTrie.create()){w.add(u);}}); }
      default -> throw new Error(op);
    }
  }
}
